import type { Command } from 'commander'
import type { Config } from '../config.js'
import { LARK_EVENTS, LARK_PERMISSIONS, type LarkNeed } from '../platforms/lark/manifest.js'
import { slackManifest } from '../platforms/slack/manifest.js'
import { slackPaths } from '../web/slack-paths.js'
import { formatTable } from './output.js'

interface SlackFlags {
  readonly name: string
  readonly app: string
  readonly rotation?: boolean
  readonly orgWide?: boolean
}

/** `lastword manifest slack|lark`: what to enter where the app is made. */
export function addManifestCommand(program: Command, settings: () => Config): void {
  const manifest = program.command('manifest').description('print what to enter where an app is made')
  manifest
    .command('slack')
    .description(
      'a manifest for api.slack.com/apps, "From a manifest", with exactly the scopes that are used',
    )
    .option('--name <name>', 'what people see', 'Lastword')
    .option('--app <key>', 'key of the app in LASTWORD_APPS_FILE', '')
    .option('--rotation', 'tokens that end after 12 hours; cannot be undone for an app')
    .option('--org-wide', 'an organization may install it for all its workspaces')
    .action((flags: SlackFlags) => {
      process.stdout.write(
        `${JSON.stringify(slackManifestOf(flags, settings().LASTWORD_PUBLIC_URL), null, 2)}\n`,
      )
    })
  manifest
    .command('lark')
    .description('permissions and events, as the Lark and Feishu consoles name them')
    .option('--json', 'print JSON')
    .action((flags: { readonly json?: boolean }) => {
      const needs = { permissions: LARK_PERMISSIONS, events: LARK_EVENTS }
      process.stdout.write(flags.json === true ? `${JSON.stringify(needs, null, 2)}\n` : `${larkTables()}\n`)
    })
}

/** Without a public address the app uses Socket Mode. */
export function slackManifestOf(flags: SlackFlags, publicUrl: string | undefined) {
  const root = publicUrl?.replace(/\/+$/, '')
  const paths = slackPaths(flags.app)
  return slackManifest({
    name: flags.name,
    urls: root === undefined ? null : { events: root + paths.events, callback: root + paths.callback },
    rotation: flags.rotation === true,
    orgWide: flags.orgWide === true,
  })
}

function larkTables(): string {
  const rows = (needs: readonly LarkNeed[]) =>
    needs.map((need) => [
      need.id,
      need.larkName,
      need.feishuName,
      need.isRequired ? 'required' : 'optional',
      need.why,
    ])
  const head = ['ID', 'LARK', 'FEISHU', '', 'WHY']
  return [
    'Permissions (Permissions & Scopes / 权限管理)',
    formatTable([head, ...rows(LARK_PERMISSIONS)]),
    '',
    'Events (Events & Callbacks / 事件与回调)',
    formatTable([head, ...rows(LARK_EVENTS)]),
    '',
    'Also: Features / 应用能力 > Bot / 机器人: on. Then publish a version / 发布版本.',
  ].join('\n')
}
