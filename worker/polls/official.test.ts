import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { furnish, NOON } from '../testing/furnish'
import { addPerson, loggedIn, PASSWORD } from '../testing/people'

beforeAll(() => furnish(env.DB))

test('what somebody asked as an administrator stays the artist’s when they have left the desk and the site', async () => {
  await addPerson('manager', { role: 'administrator' })
  const browser = await loggedIn('manager', { at: NOON })
  const ask = async (title: string) => {
    const draft = { title, options: [{ title: 'Yes' }, { title: 'No' }] }
    return (await (await browser.send('POST', '/api/polls', draft)).json<{ id: string }>()).id
  }
  const official = await ask('Which song first?')
  await env.DB.prepare("UPDATE users SET role = 'supporter' WHERE username = 'manager'").run()
  const own = await ask('Tea or coffee?')
  expect((await browser.send('DELETE', '/api/account', { password: PASSWORD })).status).toBe(204)
  const title = (id: string) => env.DB.prepare('SELECT title FROM polls WHERE id = ?').bind(id).first('title')
  expect([await title(official), await title(own)]).toEqual(['Which song first?', 'A deleted poll'])
})
