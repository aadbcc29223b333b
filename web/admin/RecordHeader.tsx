import { ArrowLeft } from 'lucide-react'
import { type ScreenId, screenById } from '../../worker/contract/admin-screens'
import { buttonClass } from '../ui/Button'
import { ScreenLink } from './ScreenLink'

/** Heading of a record's screen, with a link back to its list. */
export function RecordHeader({ back, title }: { back: ScreenId; title: string }) {
  return (
    <header className="mb-8">
      <ScreenLink screen={back} className={buttonClass('text', '-ml-3')}>
        <ArrowLeft size={18} aria-hidden />
        Back to {screenById(back).label}
      </ScreenLink>
      <h1 className="mt-2 font-display text-2xl wrap-anywhere">{title}</h1>
    </header>
  )
}
