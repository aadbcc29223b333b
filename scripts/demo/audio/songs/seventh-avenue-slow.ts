import { sub808 } from '../bass.ts'
import { electricPiano, warmPad } from '../keys.ts'
import { guitar, mallet } from '../plucked.ts'
import type { Score } from '../score.ts'
import { vocal } from '../vocal.ts'

/** A slow jam: snaps and congas, wide pads, a falsetto that takes its time. */
export const seventhAvenueSlow: Score = {
  swing: 0.3,
  drag: 0.01,
  loose: 0.005,
  kit: {
    kick: { tune: 45, sweep: 120, decay: 0.4, click: 0.45, drive: 1.4 },
    snare: { tone: 172, wires: 0.66, decay: 0.22, bright: 3600 },
    clap: { bright: 1050, tail: 0.2 },
    rim: { hertz: 1650, length: 0.035, air: 0.6 },
    hat: { decay: 0.022, edge: 8000, metal: 0.35, tune: 1.05 },
    open: 0.2,
    skins: { low: 118, high: 246 },
    bell: 590,
    levels: { rim: -1, snare: -2, hat: 2 },
  },
  grooves: {
    snaps: { rim: '....X.......X...', shaker: '..o...o...o...o.' },
    verse: {
      kick: 'X.........x..... X......x..x.....',
      rim: '....X.......X... ....X.......X...',
      hat: 'x.xgx.x3x.xgx.x. x.xgx.x.x.3gx.xg',
      low: '......o........o ......o....o....',
      high: '...g......o.g... ...g......o.go..',
    },
    hook: {
      kick: 'X.....x...x..... X..x...x..x...x.',
      snare: '....X.......X... ....X.......X...',
      rim: '....X.......X... ....X.......X..o',
      clap: '............o... ............o...',
      hat: 'xgxgxgx3xgxgxgx. xgxgxgxgx.3gx.6.',
      open: '..............o. ................',
      ride: 'x...x...x...x...',
      low: '......o........o ......o....o..o.',
      high: '...g......o.g... ...g......o.go..',
    },
    fill: {
      kick: 'X.....x...x.....',
      rim: '....X...........',
      low: '........x.oxo..o',
      high: '......o..o...ox.',
      hat: 'x.xgx.3.........',
    },
  },
  progressions: {
    verse: 'Dm9 | Gm9 | Bbmaj7 | A7b9',
    hook: 'Gm9 | A7b9 | Dm9 Dm7/C | Bbmaj7 A7#5',
    end: 'Gm9 A7b9 | Dm9',
  },
  sections: [
    {
      name: 'intro',
      bars: 2,
      chords: 'end',
      groove: 'snaps',
      play: { keys: 'open', chime: 'fall' },
      tone: [700, 4000],
      riser: 1,
      level: 1.5,
    },
    {
      name: 'verse',
      bars: 8,
      chords: 'verse',
      groove: 'verse',
      fill: 'fill',
      play: { keys: 'comp', bass: 'verse', vox: 'verse', guitar: 'lick' },
      impact: true,
      stop: 2,
      level: -1.8,
    },
    {
      name: 'hook',
      bars: 4,
      chords: 'hook',
      groove: 'hook',
      play: { keys: 'comp', pad: 'long', bass: 'hook', choir: 'hook', chime: 'hook' },
      impact: true,
    },
    {
      name: 'verse',
      bars: 4,
      chords: 'verse',
      groove: 'verse',
      fill: 'fill',
      play: { keys: 'open', bass: 'verse', vox: 'second', guitar: 'lick', chime: 'fall' },
      stop: 4,
      riser: 2,
      level: -2,
    },
    {
      name: 'hook',
      bars: 4,
      chords: 'hook',
      groove: 'hook',
      play: { keys: 'comp', pad: 'long', bass: 'hook', choir: 'hook', chime: 'hook', vox: 'answer' },
      impact: true,
    },
    {
      name: 'outro',
      bars: 2,
      chords: 'end',
      groove: 'snaps',
      play: { keys: 'open', pad: 'long', vox: 'last' },
      tone: [8000, 900],
      level: 0.5,
    },
  ],
  parts: {
    keys: {
      instrument: electricPiano({ bark: 0.7, tine: 1, decay: 4.2 }),
      centre: 63,
      mix: { gain: -2.5, highpass: 160, room: 0.24, echo: 0.05, duck: 0.3, chorus: 0.7, tremolo: 0.6 },
      clips: {
        open: { chords: 'X-------o-------', strum: 0.035 },
        comp: { chords: 'X---------o-x--- x-----o---------', strum: 0.022 },
      },
    },
    pad: {
      instrument: warmPad({ attack: 0.6, release: 1.1, cutoff: 1300, drift: 0.8 }),
      centre: 65,
      mix: { gain: -5, highpass: 240, room: 0.36, duck: 0.55 },
      clips: { long: { chords: 'x-------x-------' } },
    },
    bass: {
      instrument: sub808({ decay: 3.4, drive: 1.6, glide: 0.16, punch: 0.5 }),
      centre: 31,
      mix: { gain: -4, lowpass: 1600, duck: 0.7, quick: true },
      clips: {
        verse: { line: '1/10! 1/4 ~8/2 | 1/7! 1/3 5/4 ~9/2' },
        hook: { line: '1/6! 1/2 1/4! 5/2 ~8/2 | 1/3! 1/4 5/1 1/6 ~9/2' },
      },
    },
    guitar: {
      instrument: guitar({ damp: 0.55, ring: 1.6, pick: 0.3 }),
      mix: { gain: 2.5, highpass: 180, pan: 0.4, room: 0.3, echo: 0.25, chorus: 0.5 },
      clips: {
        lick: { line: 'r/10 A4/1 C5/1 ~D5/4 | r/16 | r/10 F5/1 ~D5/1 C5/2 A4/2 | r/8 G4/2 E4/2 C#4/4' },
      },
    },
    chime: {
      instrument: mallet({ ratio: 3.5, index: 2.4, decay: 1.5 }),
      mix: { gain: -6, highpass: 500, room: 0.45, echo: 0.35 },
      clips: {
        fall: { line: 'r/8 E6/2 D6/2 A5/2 F5/2 | r/16' },
        hook: { line: 'r/10 Bb5/2 D6/4 | r/10 G5/2 C#6/4 | r/8 A5/2 C6/2 F6/4 | r/4 D6/4 C#6/2 A5/2 E5/4' },
      },
    },
    choir: {
      instrument: vocal({ doubles: 4, breath: 0.13, vibrato: 0.28, size: 1.1 }),
      mix: { gain: -3.5, highpass: 260, room: 0.34, echo: 0.14, duck: 0.1 },
      clips: {
        hook: {
          line: `D5/4!:sou ~C5/2 Bb4/2:lo A4/2:se Bb4/4:ve r/2 | C#5/4!:na ~Bb4/2 A4/2:ve G4/2:nu ~E4/4 r/2
                 F4/2:ta A4/2:ke C5/4!:mi ~A4/2 F4/2:ho ~E4/2 D4/2:me | r/4 D5/3:u ~E5/1 ~F5/4 ~E5/2 ~C#5/2`,
        },
      },
    },
    vox: {
      instrument: vocal({ doubles: 0, breath: 0.17, vibrato: 0.24, size: 1.02 }),
      mix: { gain: -2, highpass: 150, room: 0.22, echo: 0.14 },
      clips: {
        verse: {
          line: `r/2 A3/2:ai D4/2:no E4/2:yu F4/4:wai ~E4/2 r/2 | r/2 D4/1:so D4/1:ta Bb3/2:ke ~D4/4:i r/6
                 r/2 F4/2:li F4/2:te A4/2:mi F4/2:do ~E4/2 D4/2:nai r/2 | r/4 C#4/2:u E4/2 ~G4/4 ~E4/4
                 r/2 A3/2:ai D4/2:fe E4/2:le A4/4:ho ~G4/2 r/2 | r/2 Bb4/1:so A4/1:ai G4/2:ta ~F4/4:mai r/6
                 r/2 F4/2:li A4/2:te Bb4/2:mi A4/2:do ~F4/2 D4/2:nai r/2 | r/2 E4/2:se G4/2:ve ~Bb4/4:no ~A4/2 r/4`,
        },
        second: {
          line: `r/2 D5/2:hou ~C5/2 A4/2:la F4/4:wai r/4 | r/2 D4/1:so D4/1:ta Bb4/4:ke ~A4/2:i r/6
                 r/2 F4/2:li A4/2:te Bb4/2:mi A4/2:do ~F4/2 D4/2:nai r/2 | r/2 E4/2:se G4/2:ve ~Bb4/4:no r/6`,
        },
        answer: { line: 'r/14 G4/2:u | ~A4/8:a r/8 | r/12 A4/2:o ~C5/2 | ~D5/6:a r/10' },
        last: { line: 'r/4 Bb4/3?:sou ~A4/1 G4/2:lo ~E4/6 | F4/2?:ho ~E4/2 ~D4/10 r/2' },
      },
    },
  },
  room: { seconds: 2.6, damp: 4800, predelay: 0.03 },
  echo: { steps: 4, feedback: 0.36 },
  surface: { crackle: 5, hiss: 0.0014 },
  tape: 0,
}
