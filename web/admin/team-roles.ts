import type { TeamRole } from '../../worker/contract/endpoint'

export const TEAM_ROLE_LABELS: Record<TeamRole, string> = {
  owner: 'Owner',
  manager: 'Manager',
  editor: 'Editor',
  door: 'Door',
}
