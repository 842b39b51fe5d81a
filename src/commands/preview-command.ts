import { type Command, Option } from 'commander'
import type { Config } from '../config.js'
import { parseJson, readInput } from './input.js'
import { print } from './output.js'

/** `lastword preview`. */
export function addPreviewCommand(program: Command, settings: () => Config): void {
  program
    .command('preview')
    .description('show what a run would put into the chat, with no network and no database')
    .argument('[file]', 'a file, or - for standard input', '-')
    .addOption(
      new Option('--surface <surface>', 'what a conversation is that the run gives no kind')
        .choices(['direct', 'channel'])
        .default('channel'),
    )
    .option('--json', 'print JSON (always)')
    .action(async (file: string, options: { surface: 'direct' | 'channel' }) => {
      // The platforms' clients are loaded for this command alone: the others start in a third of the time.
      const { previewRun } = await import('./preview.js')
      const preview = previewRun(parseJson(await readInput(file)), settings(), options.surface, Date.now())
      print(preview, true, () => [])
    })
}
