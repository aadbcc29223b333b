import type { Mission } from '../../worker/contract/points'

export const buildMission = (changes: Partial<Mission> = {}): Mission => ({
  id: 'first-vote',
  title: 'Cast your first vote',
  description: 'Have a say in any poll.',
  points: 20,
  action: 'poll_vote',
  progress: 0,
  target: 1,
  completed: false,
  takenBack: false,
  ...changes,
})
