import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useMe } from '../auth/auth.queries'
import { sentence } from '../auth/sentence'
import { AreaField } from '../ui/AreaField'
import { Button, buttonClass } from '../ui/Button'
import { toast } from '../ui/toast'
import { useWrite } from './community.queries'

const LONGEST = 1000

/** What a supporter has to say; what was written stays until it is posted. */
export function PostForm() {
  const me = useMe()
  const write = useWrite()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  if (me === null)
    return (
      <Link to="/login" search={{}} className={buttonClass()}>
        Log in to post
      </Link>
    )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (write.isPending) return
    if (text.trim() === '') return setProblem('Please write something first.')
    setProblem(undefined)
    write.mutate(text, {
      onSuccess: ({ pointsAwarded }) => {
        setText('')
        toast({ title: 'Posted!', ...(pointsAwarded > 0 && { text: `+${pointsAwarded} points earned` }) })
      },
      onError: (error) => setProblem(sentence(error)),
    })
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <AreaField
        label="Your post"
        name="text"
        maxLength={LONGEST}
        required
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={problem}
        hint={`+15 points, three times a day. ${LONGEST - text.length} characters left.`}
      />
      <Button type="submit" look="foil" aria-disabled={write.isPending} className="justify-self-start">
        {write.isPending ? 'Posting' : 'Post'}
      </Button>
    </form>
  )
}
