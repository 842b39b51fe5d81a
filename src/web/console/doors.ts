import type { Producer } from '../../intake/producer.js'
import type { Overview } from '../../store/console-overview.js'
import type { ConsoleStory } from '../../store/console-story.js'
import type { DeliveryFilter, DeliveryRow } from '../../store/delivery-list.js'
import type { InstallationHealth, InstallationPage } from '../../store/installation-health.js'

/** What came of a key that was given to open a session. */
export type SignIn =
  /** `session` is what the browser keeps; only its hash is stored. */
  | { readonly kind: 'opened'; readonly session: string; readonly expiresAtMs: number }
  | { readonly kind: 'unknown_key' }
  /** A key of ours without the right `console`. */
  | { readonly kind: 'not_allowed' }

/** Installations a reader may see; null: all. */
export type Scope = readonly string[] | null

/** Everything the console reads and changes. */
export interface ConsoleDoors {
  signIn(key: string): Promise<SignIn>
  /** Who holds a session, or null when it is over or its key no longer works. */
  viewer(session: string): Promise<Producer | null>
  signOut(session: string): Promise<void>
  overview(scope: Scope): Promise<Overview>
  search(
    filter: DeliveryFilter,
    page: { readonly limit: number; readonly beforeSeq?: number | undefined },
  ): Promise<readonly DeliveryRow[]>
  story(id: string): Promise<ConsoleStory | null>
  /** The address of a sent part in its platform's client, or null. */
  permalink(id: string, partIndex: number): Promise<string | null>
  installations(scope: Scope, page: InstallationPage): Promise<readonly InstallationHealth[]>
  installation(id: string): Promise<InstallationHealth | null>
  /** @throws {LastwordError} `not_found`, `not_replayable` */
  replay(id: string, by: Producer): Promise<void>
  /** @throws {LastwordError} `not_found`, `not_replayable` */
  cancel(id: string, by: Producer): Promise<void>
  /** @throws {LastwordError} `not_found`, `not_replayable` */
  resume(id: string, by: Producer): Promise<void>
}
