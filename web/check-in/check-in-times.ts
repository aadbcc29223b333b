type CheckInState = 'before' | 'open' | 'after'

export function checkInState({ opensAt, closesAt }: { opensAt: string; closesAt: string }, now: number): CheckInState {
  if (now < Date.parse(opensAt)) return 'before'
  return now < Date.parse(closesAt) ? 'open' : 'after'
}
