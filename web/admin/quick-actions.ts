import { Download, type LucideIcon, Mail, Package, PenLine, Shirt, Ticket } from 'lucide-react'
import { OPEN_PARAM, type ScreenId, screensOf } from '../../worker/contract/admin-screens'
import type { TeamRole } from '../../worker/contract/endpoint'
import type { ExportKind } from '../../worker/contract/exports'
import type { ScreenSearch } from './screen-location'

type QuickAction = {
  label: string
  /** Opens this screen; only the screen's roles have the action. */
  screen: ScreenId
  params?: Readonly<Record<string, string>>
  search?: ScreenSearch
  /** Downloads this export instead of opening the screen. */
  exportKind?: ExportKind
  Icon: LucideIcon
}

const NEW_RECORD: ScreenSearch = { [OPEN_PARAM]: 'new' }

const QUICK_ACTIONS: readonly QuickAction[] = [
  { label: 'Pack orders', screen: 'packing', Icon: Package },
  { label: 'Add a show', screen: 'concerts', search: NEW_RECORD, Icon: Ticket },
  { label: 'Write a broadcast', screen: 'broadcast', params: { id: 'new' }, Icon: Mail },
  { label: 'Write a post', screen: 'posts', Icon: PenLine },
  { label: 'Add a product', screen: 'merch', search: NEW_RECORD, Icon: Shirt },
  { label: 'Export supporters', screen: 'exports', exportKind: 'supporters', Icon: Download },
]

/** The most frequent actions of a role (none for null), shown on the Overview and in the command palette. */
export function quickActionsOf(role: TeamRole | null): readonly QuickAction[] {
  const screens = new Set(screensOf(role).map(({ id }) => id))
  return QUICK_ACTIONS.filter(({ screen }) => screens.has(screen))
}
