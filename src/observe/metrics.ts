import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { PLATFORM_NAMES, type PlatformName } from '../contract/run.js'
import type { DeliveryEvent } from '../deliver/engine.js'
import type { MessageEnd } from '../receipts/outbox.js'
import { type LedgerGauges, ledgerGap } from './gauges.js'

/** Outcomes after which the same part is tried again. */
const RETRIED = new Set(['rate_limited', 'not_sent', 'unknown', 'in_flight', 'token'])

/** Upper bounds in seconds: a healthy path is well under one, a platform outage is hours. */
const VISIBLE_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 21_600]

/** How long figures of the database are shown again, in ms: scrapers may be many. */
const GAUGE_TTL_MS = 2_000

export interface MetricsOptions {
  readonly readGauges: () => Promise<LedgerGauges>
  readonly activeLanes: () => number
  /** The label for a code, from a bounded set. */
  readonly codeLabel: (code: string | null) => string
  readonly now: () => number
  /** False leaves out the figures of the process itself, such as memory. */
  readonly withProcess?: boolean
}

export interface Metrics {
  readonly contentType: string
  accepted(platform: PlatformName): void
  event(event: DeliveryEvent): void
  webhook(end: MessageEnd['kind']): void
  /** The text a scraper reads. When the database does not answer, its figures are left out and `lastword_up` is 0. */
  render(): Promise<string>
  /** Names of everything that may be shown. */
  names(): readonly string[]
}

/** Counters of this process and figures of the ledger, in a registry of our own. */
export function createMetrics(options: MetricsOptions): Metrics {
  const registry = new Registry()
  if (options.withProcess !== false) collectDefaultMetrics({ register: registry })
  const counters = createCounters(registry)
  const gauges = createGauges(registry)
  let shown: { readonly atMs: number; readonly reading: Promise<LedgerGauges> } | null = null

  async function readGauges(): Promise<void> {
    const nowMs = options.now()
    if (shown === null || nowMs - shown.atMs >= GAUGE_TTL_MS) {
      shown = { atMs: nowMs, reading: options.readGauges() }
    }
    const current = shown
    try {
      setGauges(gauges, await current.reading)
      gauges.up.set(1)
    } catch {
      if (shown === current) shown = null
      clearGauges(gauges)
      gauges.up.set(0)
    }
    gauges.lanesActive.set(options.activeLanes())
  }

  return {
    contentType: registry.contentType,
    accepted: (platform) => counters.accepted.inc({ platform }),
    event: (event) => count(counters, options.codeLabel, event),
    webhook: (end) => counters.webhooks.inc({ end }),
    async render() {
      await readGauges()
      return registry.metrics()
    },
    names: () => registry.getMetricsAsArray().map(({ name }) => name),
  }
}

type Counters = ReturnType<typeof createCounters>
type Gauges = ReturnType<typeof createGauges>

function createCounters(registry: Registry) {
  const registers = [registry]
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name, help, labelNames: [...labelNames], registers })
  return {
    accepted: counter('lastword_runs_accepted_total', 'Runs taken in, repeats not counted', ['platform']),
    decided: counter('lastword_decisions_total', 'What was decided, and why', [
      'platform',
      'decision',
      'why',
    ]),
    ended: counter('lastword_deliveries_ended_total', 'Deliveries by their end', ['platform', 'state']),
    attempts: counter('lastword_attempts_total', 'Calls that send or edit, by outcome', [
      'platform',
      'outcome',
    ]),
    sent: counter('lastword_messages_sent_total', 'Messages that were sent or edited', ['platform']),
    unknown: counter('lastword_unknown_outcomes_total', 'Calls of which nobody knows whether they landed', [
      'platform',
    ]),
    retries: counter('lastword_retries_total', 'Calls that are made again, by code', ['platform', 'code']),
    gates: counter('lastword_gate_closings_total', 'Times a platform asked us to wait, by code', ['code']),
    webhooks: counter('lastword_webhooks_total', 'Webhook calls by what became of them', ['end']),
    visible: new Histogram({
      name: 'lastword_accept_to_visible_seconds',
      help: 'From acceptance to the whole answer standing in the chat',
      labelNames: ['platform'],
      buckets: VISIBLE_BUCKETS,
      registers,
    }),
  }
}

function createGauges(registry: Registry) {
  const registers = [registry]
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge({ name, help, labelNames: [...labelNames], registers })
  return {
    up: gauge('lastword_up', 'Whether the database answered', []),
    oldest: gauge('lastword_oldest_undelivered_seconds', 'Age of the oldest delivery that is owed', [
      'platform',
    ]),
    open: gauge('lastword_deliveries_open', 'Deliveries without an end, counted up to 100000', []),
    lanesActive: gauge('lastword_lanes_active', 'Conversations worked on by this process', []),
    lateLane: gauge('lastword_lane_wait_seconds', 'Longest wait of a conversation for a worker', []),
    gatesClosed: gauge('lastword_gates_closed', 'Waits that a platform asked for, now', ['platform']),
    parked: gauge('lastword_installations_parked', 'Installations that cannot be written to', ['platform']),
    check: gauge('lastword_ledger_recent', 'The newest accepted deliveries, by what producers were told', [
      'state',
    ]),
    gap: gauge('lastword_ledger_gap', 'Accepted minus told minus open; anything but 0 is a loss', []),
    webhooksDisabled: gauge('lastword_webhooks_disabled', 'Endpoints that failed for too long', []),
    lateWebhook: gauge('lastword_webhook_wait_seconds', 'Longest a due webhook message has waited', []),
  }
}

function count(counters: Counters, codeLabel: MetricsOptions['codeLabel'], event: DeliveryEvent): void {
  switch (event.kind) {
    case 'planned':
      counters.decided.inc({ platform: event.platform, decision: event.decision, why: event.why ?? '' })
      return
    case 'attempted':
      counters.attempts.inc({ platform: event.platform, outcome: event.outcome })
      if (event.outcome === 'sent' || event.outcome === 'edited')
        counters.sent.inc({ platform: event.platform })
      if (event.outcome === 'unknown') counters.unknown.inc({ platform: event.platform })
      if (RETRIED.has(event.outcome))
        counters.retries.inc({ platform: event.platform, code: codeLabel(event.code) })
      return
    case 'settled':
      counters.ended.inc({ platform: event.platform, state: event.state })
      if (event.state === 'delivered') {
        const seconds = Math.max(0, event.settledAtMs - event.acceptedAtMs) / 1_000
        counters.visible.observe({ platform: event.platform }, seconds)
      }
      return
    case 'gate_closed':
      counters.gates.inc({ code: codeLabel(event.code) })
      return
    case 'installation_parked':
      return
    default:
      throw new TypeError(`unhandled event: ${JSON.stringify(event satisfies never)}`)
  }
}

function setGauges(gauges: Gauges, figures: LedgerGauges): void {
  for (const platform of PLATFORM_NAMES) {
    gauges.oldest.set({ platform }, (figures.oldestMs[platform] ?? 0) / 1_000)
    gauges.gatesClosed.set({ platform }, figures.gatesClosed[platform])
    gauges.parked.set({ platform }, figures.parkedInstallations[platform])
  }
  gauges.open.set(figures.open)
  gauges.lateLane.set(figures.lateLaneMs / 1_000)
  const { accepted, open, ended } = figures.check
  for (const [state, value] of Object.entries({ accepted, open, ...ended }))
    gauges.check.set({ state }, value)
  gauges.gap.set(ledgerGap(figures.check))
  gauges.webhooksDisabled.set(figures.webhooksDisabled)
  gauges.lateWebhook.set(figures.lateWebhookMs / 1_000)
}

/** A figure that could not be read is not the one that was read last. */
function clearGauges(gauges: Gauges): void {
  const { up: _up, lanesActive: _lanes, ...ofDatabase } = gauges
  for (const gauge of Object.values(ofDatabase)) gauge.reset()
}
