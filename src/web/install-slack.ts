import type { Router } from 'express'
import type { Language, Words } from '../locales.js'
import type { SlackInstallFailure } from '../platforms/slack/install.js'
import type { InstallPages } from '../platforms/slack/installer.js'
import { type InstallPage, readerLanguage, sendPage } from './install-page.js'
import { slackPaths } from './slack-paths.js'

/** An app as its pages need it. */
export interface InstallableApp {
  readonly key: string
  readonly name: string
  /** Null: it cannot be installed. */
  readonly clientId: string | null
}

export interface InstallWords {
  readonly words: Words
  readonly defaultLanguage: Language
}

/** HTTP status of a failed install: whose turn it is. */
const STATUS: Readonly<Record<SlackInstallFailure, number>> = {
  cancelled: 200,
  expired: 400,
  code: 400,
  not_allowed: 403,
  org_installed: 409,
  email: 403,
  configuration: 500,
  unavailable: 503,
  unknown: 500,
}

/** Failures that starting again cannot help. */
const NO_RETRY: ReadonlySet<SlackInstallFailure> = new Set(['org_installed', 'configuration'])

/** The page with the button, for every app that can be installed. */
export function addSlackInstallPages(
  apps: readonly InstallableApp[],
  { words, defaultLanguage }: InstallWords,
  router: Router,
): void {
  for (const app of apps.filter((each) => each.clientId !== null)) {
    const paths = slackPaths(app.key)
    router.get(paths.install, (request, response) => {
      const language = readerLanguage(request, words, defaultLanguage)
      sendPage(response, 200, language, {
        title: words.say(language, 'install.slack.title', { app: app.name }),
        lines: [
          words.say(language, 'install.slack.intro', { app: app.name }),
          words.say(language, 'install.slack.admin'),
        ],
        action: { href: sibling(paths.start), label: words.say(language, 'install.slack.button') },
      })
    })
  }
}

/** The pages at the end of an install. */
export function slackInstallPages(
  app: InstallableApp,
  { words, defaultLanguage }: InstallWords,
): InstallPages {
  const { name } = app
  return {
    success(request, response, { grant, isNew }) {
      const language = readerLanguage(request, words, defaultLanguage)
      const workspace = grant.name ?? grant.tenant
      const title = isNew ? 'install.success.title' : 'install.success.updated'
      const page: InstallPage = {
        title: words.say(language, title, { app: name, workspace }),
        lines: grant.isOrgWide
          ? [words.say(language, 'install.success.org', { app: name, organization: workspace })]
          : [words.say(language, 'install.success.body')],
        ...(grant.isOrgWide
          ? {}
          : {
              action: {
                href: `https://app.slack.com/client/${encodeURIComponent(grant.tenant)}`,
                label: words.say(language, 'install.success.open'),
              },
            }),
      }
      sendPage(response, 200, language, page)
    },
    failure(request, response, { failure, code }) {
      const language = readerLanguage(request, words, defaultLanguage)
      sendPage(response, STATUS[failure], language, {
        title: words.say(language, 'install.failure.title', { app: name }),
        lines: [words.say(language, `install.failure.${failure}`)],
        ...(NO_RETRY.has(failure)
          ? {}
          : {
              action: {
                href: sibling(slackPaths(app.key).install),
                label: words.say(language, 'install.retry'),
              },
            }),
        reference: words.say(language, 'install.reference', { code }),
      })
    },
  }
}

/** A link between the pages of one app that also works behind a proxy with a path of its own. */
function sibling(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
