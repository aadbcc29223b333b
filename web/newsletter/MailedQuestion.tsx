import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Card } from '../auth/Card'
import { sentence } from '../auth/sentence'
import { Button, buttonClass } from '../ui/Button'
import { useMailedToken } from './mailed-token'

type Props = {
  title: string
  /** What the button does, in a sentence. */
  children: ReactNode
  button: string
  pressed: string
  act: {
    mutate: (token: string) => void
    isPending: boolean
    isSuccess: boolean
    error: Error | null
  }
  /** What is true once it was pressed. */
  done: { title: string; text: string }
}

/** A page that a mailed link opens. Opening it does nothing: scanners press links; the button does. */
export function MailedQuestion({ title, children, button, pressed, act, done }: Props) {
  const token = useMailedToken()
  if (act.isSuccess)
    return (
      <Card title={done.title}>
        <p role="status">{done.text}</p>
        <Link to="/" className={buttonClass('foil', 'mt-8 w-full')}>
          Back to the music
        </Link>
      </Card>
    )
  const problem = act.error ? sentence(act.error) : token === '' ? 'This link is not complete.' : null
  return (
    <Card title={title}>
      <p>{children}</p>
      <Button
        look="foil"
        aria-disabled={act.isPending || token === ''}
        onClick={() => token !== '' && !act.isPending && act.mutate(token)}
        className="mt-8 min-h-14 w-full"
      >
        {act.isPending ? pressed : button}
      </Button>
      {problem && (
        <p role="alert" className="mt-4 text-sunset">
          {problem}
        </p>
      )}
    </Card>
  )
}
