import { toast } from '../ui/toast'
import { prepareFirstAudio, type QueueTrack, updatePlayback } from './playback-store'

type PlayerEngine = typeof import('./player-engine')
let engine: PlayerEngine | null = null

/** Loads the engine; call it when the user is likely to play a track. Rejects if the code cannot be loaded. */
export async function loadPlayer(): Promise<PlayerEngine> {
  engine ??= await import('./player-engine')
  return engine
}

/** Runs a command of the engine, which is loaded first if necessary. */
function runCommand(command: (player: PlayerEngine) => void): void {
  if (engine) {
    command(engine)
    return
  }
  prepareFirstAudio()
  loadPlayer().then(command, () =>
    toast({
      title: 'The player could not be loaded',
      text: 'Check your connection and try again.',
      tone: 'destructive',
    }),
  )
}

/** Replaces the queue and plays the track at `index`; tracks without an audio file are left out. */
export const playQueue = (tracks: readonly QueueTrack[], index: number, startAtSeconds = 0): void =>
  runCommand((player) => player.playQueue(tracks, index, startAtSeconds))

/** Plays or pauses. Reloads a track that failed. */
export const togglePlayback = (): void => runCommand((player) => player.togglePlayback())
export const pausePlayback = (): void => engine?.pausePlayback()
/** Seeks in the current track; the time is limited to its duration. */
export const seekTo = (seconds: number): void => runCommand((player) => player.seekTo(seconds))
export const playNext = (): void => runCommand((player) => player.playNext())
/** Returns to the start of the track or, near its start, to the previous track. */
export const playPrevious = (): void => runCommand((player) => player.playPrevious())
/** Plays the track at `index` of the queue. */
export const playAt = (index: number): void => runCommand((player) => player.playAt(index))
/** Sets the volume, from 0 to 1, and unmutes. */
export function setVolume(volume: number): void {
  updatePlayback({ volume: Math.min(Math.max(volume, 0), 1), isMuted: false })
  engine?.applySound()
}

export function setMuted(isMuted: boolean): void {
  updatePlayback({ isMuted })
  engine?.applySound()
}
