import { sub808 } from '../bass.ts'
import { electricPiano, warmPad } from '../keys.ts'
import { mallet, synthPluck } from '../plucked.ts'
import type { Score } from '../score.ts'
import { vocal } from '../vocal.ts'
import { ANSWER, HOOK, VERSE } from './gilt-tide.melody.ts'

/** Night drive: a hook in falsetto over an 808 that glides, verses close to the microphone. */
export const giltTide: Score = {
  swing: 0.14,
  drag: 0.007,
  loose: 0.004,
  kit: {
    kick: { tune: 47, sweep: 210, decay: 0.42, click: 0.9, drive: 1.7 },
    snare: { tone: 188, wires: 0.62, decay: 0.2, bright: 4600 },
    clap: { bright: 1250, tail: 0.16 },
    rim: { hertz: 820, length: 0.02, air: 0.25 },
    hat: { decay: 0.026, edge: 7400, metal: 0.5, tune: 1 },
    open: 0.14,
    skins: { low: 98, high: 208 },
    bell: 540,
    levels: { rim: 1, shaker: -1 },
  },
  grooves: {
    pulse: { hat: 'x.g.x.g.x.g.x.gg', rim: '....x.......x..g' },
    verse: {
      kick: 'X.....x...X..... X..x......X...x.',
      snare: '....X.......X... ....X.......X..g',
      rim: '.......g..g..... ...g.....g......',
      hat: 'x.xgx.xgx.xgx.2. x.xgx.xgx.3.x.xg',
      open: '..............x. ................',
    },
    hook: {
      kick: 'X..x..x...X..... X..x......X..xx.',
      snare: '....X.......X... ....X.......X...',
      clap: '....X.......X... ....X.......X..o',
      hat: 'xgxgxgxgxgxgx.2g xgxgxg3gxgxgx.4.',
      open: '......x......... ..............x.',
      shaker: 'oxoXoxoXoxoXoxoX',
      low: '..............o. ...........o..o.',
    },
    fill: {
      kick: 'X.....x...X.....',
      snare: '....X...g.xg2.34',
      hat: 'x.xgx.xgx.......',
      high: '..........o.oo..',
      low: '.............oox',
    },
  },
  progressions: {
    verse: 'Fm9 | Bbm9 | Dbmaj7 | C7b9 | Fm7 | Bbm9 | Dbmaj7 | Fm7/C C7b9',
    hook: 'Dbmaj9 | Eb9sus | Fm7 | C7b9 | Dbmaj9 | Bbm9 | C7b9 | Fm7',
    end: 'Dbmaj9 C7b9 | Fm9',
  },
  sections: [
    {
      name: 'intro',
      bars: 4,
      chords: 'verse',
      groove: 'pulse',
      play: { keys: 'open', vox: 'hum' },
      tone: [520, 2600],
      riser: 1,
      level: 1.5,
    },
    {
      name: 'verse',
      bars: 8,
      chords: 'verse',
      groove: 'verse',
      fill: 'fill',
      play: { keys: 'comp', bass: 'verse', vox: 'verse', drive: 'low' },
      stop: 2,
      riser: 2,
      impact: true,
      level: -1.6,
    },
    {
      name: 'hook',
      bars: 8,
      chords: 'hook',
      groove: 'hook',
      fill: 'fill',
      play: { keys: 'comp', pad: 'long', bass: 'hook', choir: 'hook', under: 'hook', drive: 'high', glass: 'echo' },
      impact: true,
    },
    {
      name: 'verse',
      bars: 4,
      chords: 'verse',
      groove: 'verse',
      play: { keys: 'open', bass: 'verse', vox: 'second', glass: 'fall' },
      tone: [1600, 12000],
      stop: 4,
      riser: 2,
      level: -2,
    },
    {
      name: 'hook',
      bars: 8,
      chords: 'hook',
      groove: 'hook',
      fill: 'fill',
      play: {
        keys: 'comp',
        pad: 'long',
        bass: 'hook',
        choir: 'hook',
        under: 'hook',
        vox: 'answer',
        drive: 'high',
        glass: 'echo',
      },
      impact: true,
    },
    {
      name: 'outro',
      bars: 2,
      chords: 'end',
      groove: 'pulse',
      play: { keys: 'open', pad: 'long', vox: 'last' },
      tone: [6000, 700],
      level: 0,
    },
  ],
  parts: {
    keys: {
      instrument: electricPiano({ bark: 1.1, tine: 0.7, decay: 3.4 }),
      centre: 63,
      mix: { gain: -3, highpass: 170, room: 0.16, echo: 0.05, duck: 0.4, chorus: 0.6, tremolo: 0.5 },
      clips: {
        open: { chords: 'X---------------', strum: 0.03 },
        comp: { chords: 'X-----x--.o---.. X--.x-----o-g-..', strum: 0.014 },
      },
    },
    pad: {
      instrument: warmPad({ attack: 0.25, release: 0.7, cutoff: 1500, drift: 0.6 }),
      centre: 66,
      mix: { gain: -5, highpass: 260, room: 0.3, duck: 0.65 },
      clips: { long: { chords: 'x---------------' } },
    },
    bass: {
      instrument: sub808({ decay: 2.6, drive: 2.2, glide: 0.12, punch: 0.9 }),
      centre: 29,
      mix: { gain: -5, lowpass: 2400, duck: 0.8, quick: true },
      clips: {
        verse: { line: '1/6! 1/4 1/3! r/1 5/2 | 1/3! 1/6 r/2 1/3 ~9/2' },
        hook: { line: '1/3! 1/3 1/4 1/3! ~8/1 7/2 | 1/3! 1/7 ~5/1 1/3 ~9/2' },
      },
    },
    drive: {
      instrument: synthPluck({ cutoff: 420, sweep: 3.1, decay: 0.24, sustain: 0.12, width: 0.8 }),
      centre: 62,
      mix: { gain: -8, highpass: 240, room: 0.14, echo: 0.22, duck: 0.5 },
      clips: {
        low: { arp: '0..2..1.0..2.1..' },
        high: { arp: '0.2.4.2.3.2.4.1.', up: 12 },
      },
    },
    glass: {
      instrument: mallet({ ratio: 3.5, index: 3.2, decay: 1.1 }),
      mix: { gain: -4.5, highpass: 400, room: 0.35, echo: 0.3 },
      clips: {
        echo: { line: ANSWER },
        fall: { line: 'r/8 C6/2 Ab5/2 G5/2 F5/2 | r/16 | r/8 C6/2 Ab5/2 F5/2 Eb5/2 | r/16' },
      },
    },
    choir: {
      instrument: vocal({ doubles: 4, breath: 0.09, vibrato: 0.22, size: 1.1 }),
      mix: { gain: -4.5, highpass: 260, room: 0.3, echo: 0.16, duck: 0.15 },
      clips: {
        hook: { line: HOOK },
      },
    },
    under: {
      instrument: vocal({ doubles: 0, breath: 0.12, vibrato: 0.12, size: 0.96 }),
      mix: { gain: -3, highpass: 150, room: 0.2, duck: 0.1 },
      clips: { hook: { line: HOOK, up: -12 } },
    },
    vox: {
      instrument: vocal({ doubles: 0, breath: 0.14, vibrato: 0.18, size: 1 }),
      mix: { gain: -0.5, highpass: 150, room: 0.16, echo: 0.12, duck: 0.1 },
      clips: {
        hum: { line: 'r/16 | r/16 | C4/3?:u Bb3/3 Ab3/2 C4/6 r/2 | r/4 Db4/2?:u C4/2 Bb3/2 ~G3/6' },
        verse: { line: VERSE },
        second: {
          line: `r/2 F4/2:mai C4/1:ha Eb4/1:no F4/4:wi r/6 | r/2 F4/1:lo Ab4/1:na F4/2:ti ~Db4/4 r/6
                 r/2 F4/1:ki F4/1:pa Ab4/1:go C5/3:lau Bb4/2:na Ab4/4:tai r/2 | G4/3:ho Bb4/3:to ~G4/2:ni ~E4/4:tai r/4`,
        },
        answer: {
          line: `r/14 F4/1:o G4/1 | ~Ab4/4:a r/12 | r/14 Ab4/1:o Bb4/1 | ~C5/6:a r/10
                 r/14 F4/1:o G4/1 | ~Ab4/4:a r/12 | r/14 Eb4/1:o E4/1 | ~F4/8:a r/8`,
        },
        last: { line: 'C5/3?:o Bb4/3:na Ab4/2:wo ~G4/4:o r/4 | F4/12?:ta r/4' },
      },
    },
  },
  room: { seconds: 2.1, damp: 5200, predelay: 0.022 },
  echo: { steps: 3, feedback: 0.42 },
  surface: { crackle: 7, hiss: 0.0016 },
  tape: 0,
}
