import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { VISITOR_DATA_UPDATED_AT } from '../auth/auth.queries'
import { buildMission } from '../testing/mission.fixture'
import { Celebration } from './Celebration'
import { allMissions } from './points.queries'

const celebrationText = () => screen.getByRole('status', { name: 'Points' }).textContent

test('celebrates only missions completed together with new points', async () => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  const setMissions = (updatedAt: number, ...completed: boolean[]) =>
    act(async () => {
      const list = completed.map((isCompleted, index) =>
        buildMission({ title: `Mission ${index}`, id: String(index), points: 25, completed: isCompleted }),
      )
      queryClient.setQueryData(allMissions.queryKey, list, { updatedAt })
      // Query observers are notified in a later task.
      await new Promise((resolve) => setTimeout(resolve, 5))
    })
  await setMissions(VISITOR_DATA_UPDATED_AT, false, false)
  const celebration = (points: number) => (
    <QueryClientProvider client={queryClient}>
      <Celebration points={points} initialPoints={925} />
    </QueryClientProvider>
  )
  const { rerender } = render(celebration(925))
  await setMissions(Date.now(), true, false)
  expect(celebrationText()).toBe('')
  // A login replaces the visitor's list.
  await setMissions(Date.now() + 1, false, false)
  await setMissions(Date.now() + 2, true, false)
  expect(celebrationText()).toBe('')
  rerender(celebration(950))
  await setMissions(Date.now() + 3, true, true)
  expect(celebrationText()).toBe('+25 pointsMission 1')
})
