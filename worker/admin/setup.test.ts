import { env } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { concerts } from '../concerts/concerts.table'
import type { Setup } from '../contract/setup'
import { send } from '../testing/client'
import { addRelease, addTrack, addUser, db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'
import { readSetup } from './setup'

const doneSteps = async (provider: 'off' | 'test' = 'off') =>
  (await readSetup(db, { payments: { provider } })).steps.flatMap(({ id, isDone }) => (isDone ? [id] : []))

/** The default images of a new site. */
const NEW_SITE = {
  heroUrl: '/media/house/hero.1f2e3d.c532.webp',
  heroPortraitUrl: '/media/house/tall.1f2e3d.c532.webp',
}

test('marks a step done when its data exists', async () => {
  await addUser({ role: 'administrator' })
  await seedSite(env.DB, { site: { ...NEW_SITE, description: '' }, show: { removedAt: NOON } })
  expect(await doneSteps()).toEqual([])
  await seedSite(env.DB, { site: NEW_SITE })
  expect(await doneSteps()).toEqual(['name'])
  await seedSite(env.DB, { site: { ...NEW_SITE, heroUrl: '/media/uploads/wide.webp' } })
  expect(await doneSteps()).toEqual(['name'])
  await seedSite(env.DB)
  expect(await doneSteps()).toEqual(['name', 'artwork'])

  await addRelease({ slug: 'empty' }, [])
  expect(await doneSteps()).not.toContain('release')
  const { id } = await addTrack()
  await addRelease({ slug: 'first' }, [id])
  expect(await doneSteps()).toContain('release')
  await db.update(concerts).set({ removedAt: null })
  expect(await doneSteps()).toContain('show')
  expect(await doneSteps('test')).toContain('payments')

  await env.DB.prepare(
    `INSERT INTO outbox (id, dedupe_key, kind, recipient, subject, text, html, state, created_at)
     VALUES ('e', 'e', 'verify', 'a@mail.example', 's', 't', 'h', 'waiting', 0)`,
  ).run()
  expect(await doneSteps()).not.toContain('email')
  await env.DB.prepare("UPDATE outbox SET state = 'sent'").run()
  await addUser({ role: 'administrator', teamRole: 'door' })
  expect(await doneSteps('test')).toEqual(['name', 'artwork', 'release', 'show', 'payments', 'email', 'team'])
})

test('hides the set-up steps and shows them again', async () => {
  await seedSite(env.DB)
  const cookie = await cookieHeaderFor('administrator')
  const request = (method: string, json?: unknown) =>
    send(method, '/api/admin/setup', json, { at: NOON, headers: { cookie } })
  const isHidden = async () => ((await (await request('GET')).json()) as Setup).isHidden
  expect(await isHidden()).toBe(false)
  expect((await request('PATCH', { isHidden: true })).status).toBe(204)
  expect(await isHidden()).toBe(true)
  expect((await request('PATCH', { isHidden: false })).status).toBe(204)
  expect(await isHidden()).toBe(false)
})
