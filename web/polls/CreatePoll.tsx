import { useRef, useState } from 'react'
import { Button } from '../ui/Button'
import { CreatePollForm } from './CreatePollForm'

/** The button that opens and closes the form. A poll that was made closes it, and the next one starts afresh. */
export function CreatePoll() {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <div>
      <Button ref={button} aria-expanded={open} aria-controls="create-poll" onClick={() => setOpen(!open)}>
        Create Poll
      </Button>
      <div id="create-poll" className="min-w-0">
        {open && (
          <CreatePollForm
            onMade={() => {
              setOpen(false)
              button.current?.focus()
            }}
          />
        )}
      </div>
    </div>
  )
}
