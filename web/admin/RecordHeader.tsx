import { ArrowLeft } from 'lucide-react'
import { type ScreenId, screenById } from '../../worker/contract/admin-screens'
import { buttonClass } from '../ui/Button'
import { ScreenLink } from './ScreenLink'

type Props = {
  back: ScreenId
  /** Path parameters of the screen `back`. */
  params?: Readonly<Record<string, string>>
  title: string
}

/** Heading of a record's screen, with a link back to its list. */
export function RecordHeader({ back, params, title }: Props) {
  return (
    <header className="mb-8">
      <ScreenLink screen={back} params={params} className={buttonClass('text', '-ml-3')}>
        <ArrowLeft size={18} aria-hidden />
        Back to {screenById(back).label}
      </ScreenLink>
      <h1 className="mt-2 font-display text-xl wrap-anywhere sm:text-2xl">{title}</h1>
    </header>
  )
}
