import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { slackManifestOf } from '../../src/commands/manifest.js'
import { LARK_EVENTS, LARK_PERMISSIONS } from '../../src/platforms/lark/manifest.js'
import { SLACK_EVENTS, SLACK_SCOPE_NAMES } from '../../src/platforms/slack/scopes.js'
import { ALL_SCOPES } from '../support/slack/world.js'

const flags = { name: 'Lastword', app: '' } as const
const slackSources = sourcesOf('slack')

function sourcesOf(platform: string): string {
  const folder = join(import.meta.dirname, '../../src/platforms', platform)
  return readdirSync(folder)
    .filter((name) => name !== 'scopes.ts' && name !== 'manifest.ts')
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
}

describe('the Slack manifest', () => {
  test('points at our doors', () => {
    expect(slackManifestOf(flags, 'https://lastword.example/x/')).toMatchObject({
      oauth_config: { redirect_urls: ['https://lastword.example/x/slack/oauth_redirect'] },
      settings: {
        event_subscriptions: { request_url: 'https://lastword.example/x/slack/events' },
        interactivity: { is_enabled: true, request_url: 'https://lastword.example/x/slack/events' },
        socket_mode_enabled: false,
        token_rotation_enabled: false,
        org_deploy_enabled: false,
      },
    })
  })

  test('of one app among several points at its own', () => {
    const manifest = slackManifestOf({ ...flags, app: 'helper' }, 'https://lastword.example')
    expect(manifest.oauth_config?.redirect_urls).toEqual([
      'https://lastword.example/slack/helper/oauth_redirect',
    ])
  })

  test('uses Socket Mode where there is no public address', () => {
    const { settings, oauth_config } = slackManifestOf({ ...flags, rotation: true, orgWide: true }, undefined)
    expect(settings).toMatchObject({
      socket_mode_enabled: true,
      token_rotation_enabled: true,
      org_deploy_enabled: true,
    })
    expect(settings?.event_subscriptions).not.toHaveProperty('request_url')
    expect(oauth_config).not.toHaveProperty('redirect_urls')
  })

  test('keeps Slack’s limits whatever the name', () => {
    const manifest = slackManifestOf({ ...flags, name: 'Réponses — 回答 '.repeat(9) }, undefined)
    expect(manifest.display_information.name.length).toBeLessThanOrEqual(35)
    expect(manifest.features?.bot_user?.display_name).toMatch(/^[a-z0-9._-]{1,80}$/)
  })

  test('asks for exactly the scopes that the strict Slack demands of our calls', () => {
    expect([...SLACK_SCOPE_NAMES].sort()).toEqual([...ALL_SCOPES].sort())
    expect(slackManifestOf(flags, undefined).oauth_config?.scopes?.bot).toEqual(SLACK_SCOPE_NAMES)
  })

  test.each([...SLACK_EVENTS])('subscribes to %s because we read it', (event) => {
    expect(slackSources).toContain(`'${event}'`)
  })
})

describe('the Lark manifest', () => {
  const larkSources = sourcesOf('lark')

  test.each(LARK_EVENTS.map((event) => event.id))('names %s because we read it', (event) => {
    expect(larkSources).toContain(`'${event}'`)
  })

  test('names every need once, in both consoles, with a reason', () => {
    const all = [...LARK_PERMISSIONS, ...LARK_EVENTS]
    expect(new Set(all.map((need) => need.id)).size).toBe(all.length)
    for (const need of all) {
      expect(need.larkName).toMatch(/^[\x20-\x7e]+$/)
      expect(need.feishuName).toMatch(/\p{Script=Han}/u)
      expect(need.why).not.toBe('')
    }
  })
})
