/** What it takes to speak for one installation. Kept by the installation store; only this folder reads the secret. */
export interface LarkCredentials {
  readonly appId: string
  readonly appSecret: string
  /**
   * Where the app lives: `https://open.feishu.cn` or `https://open.larksuite.com`, which are separate worlds with
   * separate apps, or another server that speaks the same API.
   */
  readonly baseUrl: string
  /** `internal`: made by the tenant for itself. `store`: installed from the marketplace by many tenants. */
  readonly kind: 'internal' | 'store'
  /** The tenant key. */
  readonly tenant: string
}

/** The host without a path or slash at its end. @throws {TypeError} when it is not an http(s) URL */
export function hostOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '') {
    throw new TypeError('the Lark base URL must be an http or https URL without a user name')
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}
