import { expect, test } from 'vitest'
import { PAGES } from '../worker/contract/pages'
import { render } from './render'

test('there is no window here', () => {
  expect(typeof window).toBe('undefined')
})

test.each([...PAGES, '/no/such/page'])('%s renders on a server, before anything is known', async (path) => {
  expect((await render(path)).html).toContain('id="content"')
})

test('signing up says the age that it confirms', async () => {
  expect((await render('/signup')).html.replace(/<!-- -->/g, '')).toContain('you confirm that you are 13 or older')
})
