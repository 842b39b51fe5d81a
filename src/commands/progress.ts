import cliProgress from 'cli-progress'

/** Shows how far long work has come, on stderr, and only to a person. */
export interface Progress {
  add(count: number): void
  stop(): void
}

export function startProgress(title: string, total: number): Progress {
  const bar = new cliProgress.SingleBar(
    {
      format: `${title} {bar} {value}/{total}  {eta_formatted} left`,
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: false,
    },
    cliProgress.Presets.shades_classic,
  )
  bar.start(total, 0)
  return { add: (count) => bar.increment(count), stop: () => bar.stop() }
}
