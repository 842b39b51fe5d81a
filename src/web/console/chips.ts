import type { DeliveryState, InstallationState } from '../../store/tables.js'
import { type Html, html } from './html.js'
import { said, type Texts } from './texts.js'

export type Tone = 'good' | 'warn' | 'bad' | 'calm'

const DELIVERY: Readonly<Record<DeliveryState, Tone>> = {
  accepted: 'calm',
  planned: 'calm',
  delivering: 'calm',
  delivered: 'good',
  dropped: 'calm',
  parked: 'warn',
  dead: 'bad',
  expired: 'bad',
}

const PART: Readonly<Record<string, Tone>> = {
  pending: 'calm',
  sending: 'calm',
  sent: 'good',
  unknown: 'warn',
  failed: 'bad',
}

const INSTALLATION: Readonly<Record<InstallationState, Tone>> = {
  active: 'good',
  parked: 'warn',
  removed: 'calm',
}

export function toneOfDelivery(state: DeliveryState): Tone {
  return DELIVERY[state]
}

/** A state in words; the colour only repeats them. */
export function deliveryChip(state: DeliveryState, texts: Texts): Html {
  return chip(DELIVERY[state], texts.states[state])
}

export function partChip(state: string, texts: Texts): Html {
  return chip(PART[state] ?? 'calm', said(texts.parts, state) ?? state)
}

export function installationChip(state: InstallationState, texts: Texts): Html {
  return chip(INSTALLATION[state], texts.installationStates[state])
}

function chip(tone: Tone, label: string): Html {
  return html`<span class="chip ${tone}">${label}</span>`
}
