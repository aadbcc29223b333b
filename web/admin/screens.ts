import {
  BadgePercent,
  BarChart3,
  CalendarDays,
  ClipboardList,
  Disc3,
  DoorOpen,
  Download,
  FileClock,
  Gavel,
  type LucideIcon,
  Mail,
  Medal,
  MessageSquare,
  Mic,
  Newspaper,
  Package,
  PenLine,
  Settings,
  ShieldCheck,
  ShoppingBag,
  Truck,
  Users,
  UsersRound,
} from 'lucide-react'
import { type ComponentType, lazy } from 'react'
import type { ScreenId } from '../../worker/contract/admin-screens'

const view = (Icon: LucideIcon, load: () => Promise<ComponentType>) => ({
  Icon,
  /** Starts to load the code. */
  preload: load,
  Component: lazy(() => load().then((Component) => ({ default: Component }))),
})

/** Icon and lazily loaded component of each screen in `worker/contract/admin-screens.ts`. */
export const SCREEN_VIEWS: Readonly<Record<ScreenId, ReturnType<typeof view>>> = {
  home: view(BarChart3, () => import('./OverviewTab').then((code) => code.OverviewTab)),
  door: view(DoorOpen, () => import('./DoorTab').then((code) => code.DoorTab)),
  music: view(Disc3, () => import('./MusicTab').then((code) => code.MusicTab)),
  concerts: view(CalendarDays, () => import('./ConcertsTab').then((code) => code.ConcertsTab)),
  posts: view(PenLine, () => import('../community/PostsTab').then((code) => code.PostsTab)),
  polls: view(ClipboardList, () => import('./PollsTab').then((code) => code.PollsTab)),
  missions: view(Medal, () => import('./MissionsTab').then((code) => code.MissionsTab)),
  challenge: view(Mic, () => import('../challenge/VerseTab').then((code) => code.VerseTab)),
  challengeSteps: view(Mic, () => import('../challenge/ChallengeStepsPage').then((code) => code.ChallengeStepsPage)),
  orders: view(Package, () => import('../orders/OrdersTab').then((code) => code.OrdersTab)),
  order: view(Package, () => import('../orders/AdminOrderPage').then((code) => code.AdminOrderPage)),
  customer: view(Users, () => import('../orders/CustomerPage').then((code) => code.CustomerPage)),
  merch: view(ShoppingBag, () => import('./MerchTab').then((code) => code.MerchTab)),
  discounts: view(BadgePercent, () => import('../discounts/DiscountsTab').then((code) => code.DiscountsTab)),
  shipping: view(Truck, () => import('../shop-settings/ShippingTaxTab').then((code) => code.ShippingTaxTab)),
  supporters: view(Users, () => import('./SupportersTab').then((code) => code.SupportersTab)),
  supporter: view(Users, () => import('./SupporterPage').then((code) => code.SupporterPage)),
  community: view(MessageSquare, () => import('../community/CommunityTab').then((code) => code.CommunityTab)),
  newsletter: view(Newspaper, () => import('./NewsletterTab').then((code) => code.NewsletterTab)),
  email: view(Mail, () => import('../email/EmailTab').then((code) => code.EmailTab)),
  privacy: view(Gavel, () => import('../privacy/PrivacyTab').then((code) => code.PrivacyTab)),
  site: view(Settings, () => import('./SiteTab').then((code) => code.SiteTab)),
  team: view(UsersRound, () => import('./TeamTab').then((code) => code.TeamTab)),
  exports: view(Download, () => import('../exports/ExportsTab').then((code) => code.ExportsTab)),
  audit: view(FileClock, () => import('./AuditTab').then((code) => code.AuditTab)),
  security: view(ShieldCheck, () => import('./SecurityTab').then((code) => code.SecurityTab)),
}
