/** Runs a command and exits: with 0, or with 1 after printing the message of its error. */
export function runCommand(main: () => Promise<void>): void {
  main().then(
    () => process.exit(0),
    (error: Error) => {
      console.error(error.message)
      process.exit(1)
    },
  )
}
