import { expect, test } from 'vitest'
import { PAGES } from '../worker/contract/pages'
import { render } from './render'

test('has no window', () => {
  expect(typeof window).toBe('undefined')
})

test.each([...PAGES, '/no/such/page'])('%s renders on a server without data', async (path) => {
  expect((await render(path)).html).toContain('id="content"')
})

test('shows the age that signing up confirms', async () => {
  expect((await render('/signup')).html.replace(/<!-- -->/g, '')).toContain('you confirm that you are 13 or older')
})
