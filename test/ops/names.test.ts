import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { createMetrics } from '../../src/observe/metrics.js'

const metrics = createMetrics({
  readGauges: async () => Promise.reject(new TypeError('not asked')),
  activeLanes: () => 0,
  codeLabel: () => 'other',
  now: Date.now,
  withProcess: false,
})
const shown = new Set(
  metrics.names().flatMap((name) => [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]),
)

function file(name: string): string {
  return readFileSync(join(import.meta.dirname, '../../ops', name), 'utf8')
}

function namesIn(expressions: readonly string[]): readonly string[] {
  return expressions.flatMap((expression) => expression.match(/\blastword_\w+/g) ?? [])
}

const Dashboard = z.object({
  panels: z.array(z.object({ id: z.number(), targets: z.array(z.object({ expr: z.string() })) })),
})
const Rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          annotations: z.object({ summary: z.string(), action: z.string() }),
        }),
      ),
    }),
  ),
})

describe('files for operators', () => {
  const dashboard = Dashboard.parse(JSON.parse(file('grafana-dashboard.json')))
  const rules = Rules.parse(parse(file('alerts.yaml'))).groups.flatMap((group) => group.rules)

  test('the dashboard shows metrics that exist, and every one of them', () => {
    const used = namesIn(dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)))
    expect(used.filter((name) => !shown.has(name))).toEqual([])
    const base = new Set(used.map((name) => name.replace(/_bucket$/, '')))
    expect(metrics.names().filter((name) => !base.has(name))).toEqual([])
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
  })

  test('alerts are about metrics that exist, and say what to do', () => {
    expect(rules.length).toBeGreaterThan(5)
    expect(namesIn(rules.map(({ expr }) => expr)).filter((name) => !shown.has(name))).toEqual([])
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  })
})
