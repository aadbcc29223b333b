import { roundBass } from '../bass.ts'
import { electricPiano, warmPad } from '../keys.ts'
import { guitar, mallet } from '../plucked.ts'
import type { Score } from '../score.ts'
import { vocal } from '../vocal.ts'

/** Late night, from the vault: a worn tape, felt keys, a guitar and one close voice. */
export const harborLightsDemo: Score = {
  swing: 0.27,
  drag: 0.016,
  loose: 0.008,
  kit: {
    kick: { tune: 56, sweep: 90, decay: 0.26, click: 0.35, drive: 1.3 },
    snare: { tone: 182, wires: 0.7, decay: 0.19, bright: 3000 },
    clap: { bright: 1000, tail: 0.14 },
    rim: { hertz: 980, length: 0.026, air: 0.3 },
    hat: { decay: 0.04, edge: 6400, metal: 0.3, tune: 0.85 },
    open: 0.22,
    skins: { low: 104, high: 220 },
    bell: 500,
    levels: { snare: -1, hat: 4, rim: 3, shaker: 4, ride: 2 },
  },
  grooves: {
    tap: { shaker: '..o...o...o...o.', rim: '............o...' },
    verse: {
      kick: 'X.........x..... X......x..x.....',
      rim: '....x.......x... ....x.......x..g',
      hat: 'x.x.x.xgx.x.x.xg x.xgx.x.x.x.x.x.',
      shaker: '..o...o...o...o.',
    },
    hook: {
      kick: 'X.....x...x..... X......x..x...x.',
      snare: '....X..g....X... ....X..g.g..X..g',
      hat: 'x.xgx.xgx.xgx.xg x.xgx.xgx.x.x.xg',
      ride: 'x...o...x...o...',
      shaker: 'o.x.o.x.o.x.o.x.',
    },
    fill: { kick: 'X.....x...x.....', snare: '....x..g.g.xg.ox', hat: 'x.x.x...........' },
  },
  progressions: {
    verse: 'Em9 | Am9 | Cmaj7 | B7b9',
    hook: 'Am9 | B7b9 | Em9 | Cmaj7 B7b9',
    end: 'Am9 B7b9 | Em9',
  },
  sections: [
    {
      name: 'intro',
      bars: 2,
      chords: 'end',
      groove: 'tap',
      play: { keys: 'open', guitar: 'call' },
      tone: [900, 3500],
      level: 2,
    },
    {
      name: 'verse',
      bars: 8,
      chords: 'verse',
      groove: 'verse',
      fill: 'fill',
      play: { keys: 'comp', guitar: 'pick', bass: 'verse', vox: 'verse' },
      level: -1.5,
    },
    {
      name: 'hook',
      bars: 4,
      chords: 'hook',
      groove: 'hook',
      fill: 'fill',
      play: { keys: 'comp', pad: 'long', guitar: 'strum', bass: 'hook', choir: 'hook', box: 'hook' },
    },
    {
      name: 'verse',
      bars: 2,
      chords: 'verse',
      play: { keys: 'open', guitar: 'call', vox: 'second' },
      stop: 4,
      level: -2.5,
    },
    {
      name: 'hook',
      bars: 4,
      chords: 'hook',
      groove: 'hook',
      play: { keys: 'comp', pad: 'long', guitar: 'strum', bass: 'hook', choir: 'hook', box: 'hook', vox: 'answer' },
    },
    {
      name: 'outro',
      bars: 2,
      chords: 'end',
      groove: 'tap',
      play: { keys: 'open', guitar: 'last', vox: 'last' },
      tone: [6000, 900],
      level: 0.5,
    },
  ],
  parts: {
    keys: {
      instrument: electricPiano({ bark: 0.5, tine: 0.25, decay: 3 }),
      centre: 62,
      mix: { gain: -2.5, highpass: 130, lowpass: 5200, room: 0.2, duck: 0.2, chorus: 0.4, tremolo: 0.35 },
      clips: {
        open: { chords: 'X-------o-------', strum: 0.04 },
        comp: { chords: 'X-------x---o--- x---o-----x-----', strum: 0.026 },
      },
    },
    pad: {
      instrument: warmPad({ attack: 0.7, release: 1, cutoff: 900, drift: 0.7 }),
      centre: 64,
      mix: { gain: -7.5, highpass: 220, room: 0.3, duck: 0.35 },
      clips: { long: { chords: 'x---------------' } },
    },
    guitar: {
      instrument: guitar({ damp: 0.6, ring: 1.8, pick: 0.28 }),
      centre: 57,
      mix: { gain: 3, highpass: 120, pan: -0.35, room: 0.24, echo: 0.12, chorus: 0.25 },
      clips: {
        pick: { arp: '0.2.3.1.2.3-1.2. 0.2.4-3.2.1.3---' },
        strum: { chords: 'X-----x-..x---o- x-----x-....x---', strum: 0.022 },
        call: { line: 'r/4 B4/2 ~D5/2 E5/4 B4/4 | r/4 G4/2 A4/2 B4/8' },
        last: { chords: 'X-------x------- X---------------', strum: 0.06 },
      },
    },
    bass: {
      instrument: roundBass({ bite: 0.15, saws: 0.15, decay: 0.14 }),
      centre: 28,
      mix: { gain: -2, lowpass: 1800, duck: 0.4, quick: true },
      clips: {
        verse: { line: '1/8! r/2 1/2 5/4 | 1/6! r/1 5/3 8/2 5/2 9/2' },
        hook: { line: '1/5! r/1 1/2 5/4 8/4 | 1/5! r/1 5/2 8/2 5/2 1/2 9/2' },
      },
    },
    box: {
      instrument: mallet({ ratio: 5, index: 1.4, decay: 1 }),
      mix: { gain: -5, highpass: 500, pan: 0.35, room: 0.4, echo: 0.25 },
      clips: {
        hook: { line: 'r/8 B5/2 E6/2 D6/4 | r/8 A5/2 F#5/2 D#5/4 | r/8 G5/2 B5/2 E6/4 | r/8 D#6/2 B5/2 F#5/4' },
      },
    },
    choir: {
      instrument: vocal({ doubles: 2, breath: 0.16, vibrato: 0.2, size: 1.02 }),
      mix: { gain: -4.5, highpass: 160, room: 0.26, echo: 0.1 },
      clips: {
        hook: {
          line: `E4/2:ha G4/2:bo B4/6!:lai r/2 A4/2:o G4/2:na | F#4/6:wo ~E4/2 D#4/4:ta r/4
                 E4/2:li G4/2:vi B4/4!:o ~D5/2 B4/2:na ~A4/2 G4/2:fo | E4/6:mi r/2 F#4/2:u ~A4/2 ~F#4/2 ~D#4/2`,
        },
      },
    },
    vox: {
      instrument: vocal({ doubles: 0, breath: 0.2, vibrato: 0.18, size: 0.97 }),
      mix: { gain: -0.5, highpass: 130, room: 0.16, echo: 0.1 },
      clips: {
        verse: {
          line: `r/4 B3/2:ai D4/2:ke E4/4:pai r/4 | r/2 E4/1:so D4/1:ta C4/2:lo ~A3/4 r/6
                 r/4 E4/2:ai G4/2:ke ~E4/2 D4/2:mai r/4 | r/4 F#4/2:u ~D#4/2 ~B3/6 r/2
                 r/4 B3/2:ai D4/2:se G4/4:yu ~E4/2 r/2 | r/2 E4/1:so G4/1:ta A4/2:lo ~G4/2 E4/2 r/6
                 r/2 G4/2:na B4/2:bo ~A4/2 G4/2:ti E4/4:na r/2 | r/4 A4/2:fo ~F#4/2 ~D#4/6:mi r/2`,
        },
        second: { line: 'r/4 B4/2?:ai ~A4/2 G4/4:ke r/4 | r/2 E4/2?:pai G4/2:da ~A4/4:lai r/6' },
        answer: { line: 'r/10 C5/4?:u r/2 | r/12 A4/4?:u | ~B4/6 r/10 | r/16' },
        last: { line: 'r/4 E4/2?:ha G4/2:bo ~F#4/8:lai | ~E4/12?:a r/4' },
      },
    },
  },
  room: { seconds: 1.9, damp: 3600, predelay: 0.024 },
  echo: { steps: 4, feedback: 0.34 },
  surface: { crackle: 14, hiss: 0.0032 },
  tape: 0.0006,
}
