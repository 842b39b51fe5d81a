/** Addresses of one Slack app, from the root. `key`: the app's word in the settings, '' for the only one. */
export function slackPaths(key: string) {
  const base = key === '' ? '/slack' : `/slack/${key}`
  return {
    install: `${base}/install`,
    start: `${base}/start`,
    callback: `${base}/oauth_redirect`,
    events: `${base}/events`,
  } as const
}
