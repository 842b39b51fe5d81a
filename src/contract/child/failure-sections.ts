/** What a reader is told of a run that did not finish: its cause, a safe diagnostic, what it had written. */
export type FailureSection<Head> =
  | { readonly section: 'headline'; readonly headline: Head }
  | { readonly section: 'diagnostic'; readonly text: string }
  | { readonly section: 'partial'; readonly text: string }

/** The sections of a failure in their one order, each only when present. A chat and a calling agent read the same. */
export function failureSections<Head>(
  headline: Head,
  diagnostic: string | null,
  partial: string | null,
): readonly FailureSection<Head>[] {
  const sections: FailureSection<Head>[] = [{ section: 'headline', headline }]
  if (diagnostic !== null) sections.push({ section: 'diagnostic', text: diagnostic })
  if (partial !== null) sections.push({ section: 'partial', text: partial })
  return sections
}
