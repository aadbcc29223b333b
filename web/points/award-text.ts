import type { PointsAward } from '../../worker/contract/points'

type Award = Partial<PointsAward>

/** '+10 points earned', or '+10 points earned and +20 for the mission “First vote”'; empty if nothing was earned. */
export function awardText({ pointsAwarded = 0, missions = [] }: Award): string {
  const parts = missions.map(({ title, points }) => `+${points} for the mission “${title}”`)
  if (pointsAwarded > 0) parts.unshift(`+${pointsAwarded} points earned`)
  return parts.length > 2 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : parts.join(' and ')
}
