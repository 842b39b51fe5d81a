import { eastAsianWidth } from 'get-east-asian-width'

/** Width in terminal cells; wide characters count two. */
function cellsOf(text: string): number {
  let cells = 0
  for (const character of text) cells += eastAsianWidth(character.codePointAt(0) ?? 0)
  return cells
}

/** Rows as aligned text columns, the first row as the header. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const columnCount = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columnCount }, (_, column) =>
    Math.max(...rows.map((row) => cellsOf(row[column] ?? ''))),
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - cellsOf(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Prints a value: JSON where a program reads it, else a table for a person. */
export function print(value: unknown, asJson: boolean, rows: () => readonly (readonly string[])[]): void {
  process.stdout.write(`${asJson ? JSON.stringify(value, null, 2) : formatTable(rows())}\n`)
}
