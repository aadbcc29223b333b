/** Nothing more is sent before the mail's button was pressed. */
export const CHECK_EMAIL = 'Check your mail to confirm.'

/**
 * What a new subscriber is told (specification section 8), and that a mail waits (ruling 16). `pointsEarned` is 0 for a
 * visitor.
 */
export function subscribedToast(pointsEarned: number): { title: string; text: string } {
  const earned = pointsEarned > 0 ? `+${pointsEarned} points earned!` : 'Sign up to earn points!'
  return {
    title: 'Successfully subscribed!',
    text: `You'll be the first to know about new merch drops. ${earned} ${CHECK_EMAIL}`,
  }
}
