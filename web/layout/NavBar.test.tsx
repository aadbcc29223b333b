import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { authStatus } from '../auth/auth.queries'
import { newQueries } from '../queries'
import { answering, show } from '../testing/render'
import { NavBar } from './NavBar'

async function bar(me: unknown) {
  answering({})
  const queries = newQueries()
  queries.setQueryData(authStatus.queryKey, me as never)
  queries.setQueryData(['config'], { artist: { name: 'Some Body', links: { contact: '' } } })
  await show(<NavBar />, { queries })
  return (name: string) => screen.getByRole('link', { name }).getAttribute('href')
}

test('a visitor has no points and may sign up or log in', async () => {
  const href = await bar(null)
  expect(screen.getByText('Your points:').parentElement?.textContent).toBe('Your points:0')
  expect(href('Sign Up / Login')).toBe('/login')
})

test('a supporter sees their points and may subscribe', async () => {
  const href = await bar({ username: 'fan', points: 1285, tier: 'bronze' })
  expect(screen.getByText('Your points:').parentElement?.textContent).toBe('Your points:1,285')
  expect(href('Subscribe')).toBe('/subscribe')
})

test('the artist’s name leads home', async () => {
  expect((await bar(null))('Some Body')).toBe('/')
})
