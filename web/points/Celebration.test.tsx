import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ANONYMOUS_DATA_UPDATED_AT } from '../auth/auth.queries'
import { Celebration } from './Celebration'
import { missions } from './points.queries'

const mission = (id: string, completed: boolean) => ({
  ...{ id, title: `Mission ${id}`, description: '', points: 25, target: 1 },
  ...{ progress: Number(completed), completed, takenBack: false },
})
const words = () => screen.getByRole('status', { name: 'Points' }).textContent

test('one’s own list of missions is no arrival, and a mission that an act paid is one', async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  const is = (updatedAt: number, ...completed: boolean[]) =>
    act(async () => {
      const list = completed.map((done, i) => mission(String(i), done))
      queries.setQueryData(missions.queryKey, list, { updatedAt })
      // Queries tell of themselves in a task of their own.
      await new Promise((resolve) => setTimeout(resolve, 5))
    })
  await is(ANONYMOUS_DATA_UPDATED_AT, false, false)
  const hub = (points: number) => (
    <QueryClientProvider client={queries}>
      <Celebration points={points} before={925} />
    </QueryClientProvider>
  )
  const { rerender } = render(hub(925))
  await is(Date.now(), true, false)
  expect(words()).toBe('')
  // As after a log-in: the visitor's list has been read from the server, and is the first one here.
  await is(Date.now() + 1, false, false)
  await is(Date.now() + 2, true, false)
  expect(words()).toBe('')
  rerender(hub(950))
  await is(Date.now() + 3, true, true)
  expect(words()).toBe('+25 pointsMission 1')
})
