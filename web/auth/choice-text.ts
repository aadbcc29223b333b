import type { PendingChoice } from './pending-choice'

/** A text that says what the login will complete; null if nothing. */
export function choiceText(choice: PendingChoice): string | null {
  switch (choice.kind) {
    case 'vote':
      return `Your vote for “${choice.title}” is waiting. Sign up or log in, and we cast it for you.`
    case 'ballot':
      return `Sign up or log in to vote for “${choice.title}”. With a confirmed email we cast your one vote right away, and it cannot be changed.`
    case 'like':
      return `“${choice.title}” goes to your favorites as soon as you sign up or log in.`
    case 'postLike':
      return `Your like for ${choice.title} is waiting. Sign up or log in, and we add it for you.`
    case 'other':
      return null
  }
}
