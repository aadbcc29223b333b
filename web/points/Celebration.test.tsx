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
const text = () => screen.getByRole('status', { name: 'Points' }).textContent

test('celebrates only missions completed together with new points', async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  const setMissions = (updatedAt: number, ...completed: boolean[]) =>
    act(async () => {
      const list = completed.map((done, i) => mission(String(i), done))
      queries.setQueryData(missions.queryKey, list, { updatedAt })
      // Queries notify their observers in a later task.
      await new Promise((resolve) => setTimeout(resolve, 5))
    })
  await setMissions(ANONYMOUS_DATA_UPDATED_AT, false, false)
  const hub = (points: number) => (
    <QueryClientProvider client={queries}>
      <Celebration points={points} initialPoints={925} />
    </QueryClientProvider>
  )
  const { rerender } = render(hub(925))
  await setMissions(Date.now(), true, false)
  expect(text()).toBe('')
  // As after a log-in, when the visitor's list is replaced.
  await setMissions(Date.now() + 1, false, false)
  await setMissions(Date.now() + 2, true, false)
  expect(text()).toBe('')
  rerender(hub(950))
  await setMissions(Date.now() + 3, true, true)
  expect(text()).toBe('+25 pointsMission 1')
})
