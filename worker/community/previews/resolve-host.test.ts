import { expect, test } from 'vitest'
import { fetchPageMetadata } from './fetch-page'
import { combineLookups } from './public-address'

test('resolves either address family and fails if one lookup fails', async () => {
  const none = async () => Promise.reject(Object.assign(new Error('none'), { code: 'ENODATA' }))
  const unknown = async () => Promise.reject(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }))
  const fails = async () => Promise.reject(Object.assign(new Error('fails'), { code: 'ESERVFAIL' }))
  const six = async () => ['2606:4700::1']
  const four = async () => ['cdn.songs.example.', '93.184.215.14']
  const page = () => new Response('<title>Gold</title>', { headers: { 'content-type': 'text/html; charset=utf-8' } })
  const read = (...lookups: Parameters<typeof combineLookups>[0]) =>
    fetchPageMetadata(
      { ownHost: null, timeoutMs: 250, fetch: async () => page(), resolve: combineLookups(lookups) },
      'https://songs.example/gold',
    )
  for (const lookups of [
    [none, six],
    [unknown, six],
    [four, none],
    [four, six],
  ])
    expect(await read(...lookups)).toMatchObject({ title: 'Gold' })
  expect(await read(unknown, unknown)).toBeNull()
  expect(await read(six, async () => ['127.0.0.1'])).toBeNull()
  // The failed lookup might hold a private address.
  for (const lookups of [
    [fails, six],
    [four, fails],
    [fails, none],
  ])
    await expect(read(...lookups)).rejects.toThrow('fails')
})
