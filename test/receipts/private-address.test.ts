import { describe, expect, test } from 'vitest'
import { LastwordError } from '../../src/errors.js'
import { checkEndpointUrl } from '../../src/receipts/endpoint-url.js'
import { isPrivateAddress, publicLookup } from '../../src/receipts/private-address.js'

describe('addresses that are not on the public internet', () => {
  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:10.0.0.1',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '2002:7f00:1::',
    'not an address',
  ])('%s is private', (address) => {
    expect(isPrivateAddress(address)).toBe(true)
  })

  test.each(['1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])(
    '%s is public',
    (address) => {
      expect(isPrivateAddress(address)).toBe(false)
    },
  )

  test('a name that resolves to a private address is refused when the socket is opened', async () => {
    const error = await new Promise((done) => publicLookup('localhost', {}, done))
    expect(error).toMatchObject({ code: 'private_address' })
  })
})

describe('where an endpoint may be', () => {
  test.each([
    ['https://hooks.example.com/lastword', false],
    ['http://10.0.0.7:8080/hooks', true],
    ['http://127.0.0.1:4000/', true],
  ])('%s', (url, mayBePrivate) => {
    expect(checkEndpointUrl(url, mayBePrivate)).toBe(url)
  })

  test.each([
    ['no address', 'hooks', false],
    ['no https', 'http://hooks.example.com/', false],
    ['a loopback address', 'https://127.0.0.1/', false],
    ['a loopback address in another spelling', 'https://2130706433/', false],
    ['a private IPv6 address', 'https://[fd00::1]/', false],
    ['a metadata service', 'https://169.254.169.254/latest', false],
    ['localhost', 'https://localhost/', false],
    ['a file', 'file:///etc/passwd', true],
    ['a password', 'https://user:word@hooks.example.com/', true],
  ])('%s is refused', (_name, url, mayBePrivate) => {
    expect(() => checkEndpointUrl(url, mayBePrivate)).toThrow(LastwordError)
  })
})
