import { beforeAll, expect, test } from 'vitest'
import { PAGES } from '../contract/pages'
import { errorOf, fillPath, send, servedGetRoutes, servedRoutes } from '../testing/client'
import { fixtureParams, loadFixtures } from '../testing/fixtures'

beforeAll(loadFixtures)

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

test('answers 405 with the allowed methods', async () => {
  const paths = [...new Set([...servedRoutes().map(({ path }) => path), ...PAGES])]
  for (const path of paths) {
    const allowed = servedRoutes()
      .filter((route) => route.path === path)
      .map(({ method }) => method)
    if (allowed.length === 0) allowed.push('GET')
    for (const method of METHODS.filter((method) => !allowed.includes(method))) {
      const response = await send(method, fillPath(path, fixtureParams(path)))
      expect([method, path, ...(await errorOf(response))]).toEqual([
        method,
        path,
        405,
        'method_not_allowed',
        'That cannot be done here.',
      ])
      const allow = (response.headers.get('allow') ?? '').split(', ').sort()
      expect([path, allow]).toEqual([path, [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : [])].sort()])
    }
  }
})

test('answers HEAD like GET without the body', async () => {
  const at = Date.now()
  for (const path of [
    ...servedGetRoutes().map((route) => fillPath(route.path, fixtureParams(route.path))),
    ...PAGES,
    '/nowhere',
    '/api/unknown',
  ]) {
    const [get, head] = [await send('GET', path, undefined, { at }), await send('HEAD', path, undefined, { at })]
    expect([path, head.status, await head.text()]).toEqual([path, get.status, ''])
    for (const name of ['content-type', 'cache-control', 'etag', 'x-error-code'])
      expect([path, name, head.headers.get(name)]).toEqual([path, name, get.headers.get(name)])
    await get.arrayBuffer()
  }
})

test('answers unknown API and file paths with plain-text 404', async () => {
  for (const path of [
    '/api',
    '/api/',
    '/api/unknown',
    '/API/config',
    '/assets/missing-abc.js',
    '/media/x',
    '/nothing.php',
  ]) {
    const response = await send('GET', path)
    expect([path, response.headers.get('content-type'), ...(await errorOf(response))]).toEqual([
      path,
      'text/plain; charset=UTF-8',
      404,
      'not_found',
      'This page does not exist.',
    ])
  }
})

test('never fails on malformed paths', async () => {
  const malformed = [
    '%E0%A4%A',
    '%',
    '%%',
    '%00',
    '%2e%2e%2f',
    '..%2f..%2fetc',
    '__proto__',
    'constructor',
    '%0d%0aset-cookie:a',
    '‮',
    '9'.repeat(400),
    '-1',
    '1e9',
    "' OR 1=1--",
  ]
  const paths = [
    ...malformed.flatMap((value) => servedGetRoutes().map(({ path }) => fillPath(path, value))),
    ...malformed.flatMap((value) => [
      `/${value}`,
      `/${value}/`,
      `/api/${value}`,
      `/subscribe/${value}`,
      `/?x=${value}`,
    ]),
    '//',
    '/./..//',
    `/${'a/'.repeat(2000)}`,
  ]
  for (const path of new Set(paths)) {
    const response = await send('GET', path)
    expect([path, response.status < 500]).toEqual([path, true])
    await response.arrayBuffer()
  }
})
