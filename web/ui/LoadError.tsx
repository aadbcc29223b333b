import { Button } from './Button'

type Props = {
  children: string
  onRetry: () => void
  retrying?: boolean
}

/** An error with a retry button. */
export function LoadError({ children, onRetry, retrying = false }: Props) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-6 gap-y-4 border-l-4 border-sunset bg-sleeve p-5">
      <p className="max-w-prose">{children}</p>
      <Button onClick={onRetry} aria-disabled={retrying}>
        {retrying ? 'Trying again' : 'Try again'}
      </Button>
    </div>
  )
}
