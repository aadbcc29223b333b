import { queryOptions } from '@tanstack/react-query'
import { pointsApi } from '../../worker/contract/points'
import { call } from '../api/call'

/** The fifty supporters with the most points, and the caller's own rank. */
export const leaderboard = queryOptions({
  queryKey: ['leaderboard'],
  queryFn: () => call(pointsApi.leaderboard, {}),
})

/** What earns points, with the caller's progress. */
export const missions = queryOptions({
  queryKey: ['missions'],
  queryFn: () => call(pointsApi.missions, {}),
})
