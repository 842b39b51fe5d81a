import { LastwordError } from '../errors.js'
import { hasPrivateHost } from './private-address.js'

/**
 * Checks where a webhook may go. Without `mayBePrivate` only https to a public host, so that whoever holds a key
 * cannot make this process speak to what stands beside it.
 *
 * @throws {LastwordError} `invalid_request`
 */
export function checkEndpointUrl(text: string, mayBePrivate: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const fault =
    url === null || !/^https?:$/.test(url.protocol)
      ? 'an https address'
      : url.username !== '' || url.password !== ''
        ? 'an address without a user name; events are signed'
        : mayBePrivate
          ? null
          : url.protocol !== 'https:'
            ? 'an https address'
            : hasPrivateHost(url)
              ? 'a public host; a private one is added with `lastword webhooks add --private`'
              : null
  if (fault === null && url !== null) return url.href
  throw new LastwordError('invalid_request', undefined, {
    faults: [{ path: '/url', expected: fault ?? 'an https address' }],
  })
}
