import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SLACK, type SlackFake, startSlackFake } from '../../support/slack/fake.js'
import {
  aMarker,
  aMessage,
  aTarget,
  CREDENTIALS,
  INSTALLATION,
  slackOn,
} from '../../support/slack/platform.js'

let fake: SlackFake
beforeAll(async () => {
  fake = await startSlackFake({
    seed: { tokens: [{ token: 'xoxe.xoxb-1', team: SLACK.team, state: 'expired', refreshToken: 'xoxe-1' }] },
  })
})
afterAll(() => fake.close())

test('has no key to resend with: Slack has none', () => {
  const slack = slackOn(fake)
  expect(slack.name).toBe('slack')
  expect(slack.sameKeyWindowMs).toBe(0)
})

describe('refreshToken', () => {
  test('a refresh is made once for all who ask at the same time, and the next call works', async () => {
    let token = 'xoxe.xoxb-1'
    let refreshes = 0
    const refresh = async () => {
      refreshes += 1
      const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'xoxe-1' })
      const response = await fetch(`${fake.apiUrl}oauth.v2.access`, { method: 'POST', body })
      const answer: unknown = await response.json()
      if (typeof answer !== 'object' || answer === null || !('access_token' in answer))
        throw new Error('refused')
      token = String(answer.access_token)
      return { kind: 'refreshed' } as const
    }
    const slack = slackOn(fake, {}, { refresh, credentials: async () => ({ ...CREDENTIALS, token }) })
    expect(await slack.send(aTarget(), aMessage(), aMarker())).toEqual({
      kind: 'token',
      code: 'token_expired',
    })
    const answers = await Promise.all(Array.from({ length: 5 }, () => slack.refreshToken(INSTALLATION)))
    expect(answers).toEqual(Array(5).fill({ kind: 'refreshed' }))
    expect(refreshes).toBe(1)
    expect(await slack.send(aTarget(), aMessage(), aMarker())).toMatchObject({ kind: 'sent' })
    // The refresh token is spent: the next refresh fails, as a fault.
    expect(await slack.refreshToken(INSTALLATION)).toEqual({ kind: 'not_sent', code: 'refresh_failed' })
    expect(refreshes).toBe(2)
    await slack.close()
  })
  test('without a way to refresh the installation needs a new one', async () => {
    const slack = slackOn(fake)
    expect(await slack.refreshToken(INSTALLATION)).toMatchObject({
      kind: 'installation_dead',
      remedy: 'reinstall',
    })
    await slack.close()
  })
})
