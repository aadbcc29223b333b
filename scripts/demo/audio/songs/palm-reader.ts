import { roundBass } from '../bass.ts'
import { electricPiano, warmPad } from '../keys.ts'
import { mallet, synthPluck } from '../plucked.ts'
import type { Score } from '../score.ts'
import { vocal } from '../vocal.ts'

/** Bounce: three against four in the kick, wooden mallets, a chant that answers itself. */
export const palmReader: Score = {
  swing: 0.1,
  drag: 0.002,
  loose: 0.003,
  kit: {
    kick: { tune: 54, sweep: 260, decay: 0.26, click: 1.1, drive: 2 },
    snare: { tone: 216, wires: 0.6, decay: 0.13, bright: 5200 },
    clap: { bright: 1400, tail: 0.11 },
    rim: { hertz: 780, length: 0.018, air: 0.2 },
    hat: { decay: 0.024, edge: 7600, metal: 0.55, tune: 1.1 },
    open: 0.12,
    skins: { low: 132, high: 280 },
    bell: 587,
    levels: { low: 2, high: 2, clap: 1 },
  },
  grooves: {
    tease: { shaker: 'oxoxoxoxoxoxoxox', high: 'x..o..x...o..o..', bell: '........x.......' },
    verse: {
      kick: 'X..x..x.X..x..x. X..x..x.X..x.xx.',
      clap: '....X.......X... ....X.......X.o.',
      hat: 'x.xgx.xgx.xgx.xg x.xgx.xgx.xgx.2.',
      low: '......x......ox. ......x....x.oo.',
      high: 'o..o......o..o.. o..o......oo....',
    },
    hook: {
      kick: 'X..x..x.X..x..x. X..x..x.X..x.xx.',
      clap: '....X.......X... ....X..o....X.oo',
      snare: '...g..x.....g.x. ...g..x.....gxx.',
      hat: 'xgxgxgxgxgxgxg2g xgxgxgxgxgxg2g2g',
      open: '..x...x...x...x. ..x...x...x...x.',
      bell: 'x...x..x..x.x... x...x..x..x.x.x.',
      shaker: 'XoxoXoxoXoxoXoxo',
      low: '......x......ox. ......x....x.oo.',
      high: 'o..o......o..o.. o..o......oo....',
    },
    fill: { kick: 'X..x..x.X.......', clap: '....X...2.2.2x2X', low: '......x..o.oxoxo', bell: 'x...x..x........' },
  },
  progressions: {
    verse: 'Gm7 | Cm9 | Ebmaj7 | D7#9',
    hook: 'Cm9 | D7b9 | Gm7 | Ebmaj7 D7b9',
    end: 'Cm9 D7b9 | Gm9',
  },
  sections: [
    {
      name: 'intro',
      bars: 4,
      chords: 'verse',
      groove: 'tease',
      play: { wood: 'riff' },
      tone: [900, 9000],
      riser: 1,
      level: 2,
    },
    {
      name: 'verse',
      bars: 8,
      chords: 'verse',
      groove: 'verse',
      fill: 'fill',
      play: { wood: 'riff', bass: 'verse', vox: 'verse' },
      impact: true,
      stop: 1,
      level: -1.5,
    },
    {
      name: 'hook',
      bars: 8,
      chords: 'hook',
      groove: 'hook',
      fill: 'fill',
      play: { wood: 'hook', keys: 'stab', pad: 'swell', bass: 'hook', chant: 'hook', spark: 'up' },
      impact: true,
    },
    {
      name: 'verse',
      bars: 4,
      chords: 'verse',
      groove: 'verse',
      play: { wood: 'riff', bass: 'verse', vox: 'second', keys: 'touch' },
      stop: 4,
      riser: 2,
      level: -1.8,
    },
    {
      name: 'hook',
      bars: 8,
      chords: 'hook',
      groove: 'hook',
      fill: 'fill',
      play: { wood: 'hook', keys: 'stab', pad: 'swell', bass: 'hook', chant: 'hook', vox: 'answer', spark: 'up' },
      impact: true,
    },
    {
      name: 'outro',
      bars: 2,
      chords: 'end',
      groove: 'tease',
      play: { wood: 'last', keys: 'touch', chant: 'last' },
      tone: [9000, 1200],
      level: 0.5,
    },
  ],
  parts: {
    wood: {
      instrument: mallet({ ratio: 4, index: 2.2, decay: 0.42 }),
      mix: { gain: 5, highpass: 180, pan: -0.15, room: 0.16, echo: 0.14, duck: 0.15 },
      clips: {
        riff: {
          line: `G5/3! F5/3 D5/2 Bb4/3 C5/3 D5/2 | r/2 G4/1 G4/1 Bb4/2 D5/2 F5/3 D5/3 Bb4/2
                 G5/3! F5/3 Eb5/2 Bb4/3 D5/3 Eb5/2 | r/2 F#4/1 F#4/1 A4/2 C5/2 Eb5/3 D5/3 C5/2`,
        },
        hook: {
          line: `Eb5/3! D5/3 C5/2 G4/3 Bb4/3 C5/2 | r/2 F#4/1 F#4/1 A4/2 C5/2 Eb5/3 D5/3 A4/2
                 D5/3! Bb4/3 G4/2 D5/3 F5/3 G5/2 | Bb4/3 D5/3 Eb5/2 F#5/3 D5/3 A4/2`,
        },
        last: { line: 'Eb5/3! D5/3 C5/2 F#4/3 A4/3 C5/2 | Bb4/3 D5/3 G5/6 r/4' },
      },
    },
    keys: {
      instrument: electricPiano({ bark: 1.5, tine: 0.4, decay: 2.4 }),
      centre: 63,
      mix: { gain: -3, highpass: 220, pan: 0.2, room: 0.14, duck: 0.35, chorus: 0.4 },
      clips: { stab: { chords: 'X-..x-..X-..x-x-', strum: 0.006 }, touch: { chords: 'X-------........', strum: 0.02 } },
    },
    pad: {
      instrument: warmPad({ attack: 0.12, release: 0.5, cutoff: 1900, drift: 0.5 }),
      centre: 67,
      mix: { gain: -5, highpass: 320, room: 0.26, duck: 0.8 },
      clips: { swell: { chords: 'x---------------' } },
    },
    bass: {
      instrument: roundBass({ bite: 0.8, saws: 0.8, decay: 0.11 }),
      centre: 31,
      mix: { gain: 2.5, lowpass: 4200, duck: 0.6, quick: true },
      clips: {
        verse: {
          line: '1/2! r/1 1/2 r/1 8/1 1/1 1/2! r/1 1/2 r/1 5/2 | 1/2! r/1 1/2 r/1 7/1 8/1 1/2! r/1 5/1 r/1 9/3',
        },
        hook: {
          line: '1/2! r/1 1/2 8/1 5/1 1/1 1/2! 8/1 1/2 r/1 5/1 8/1 | 1/2! r/1 1/2 8/1 5/1 1/1 1/2! r/1 8/1 5/1 9/3',
        },
      },
    },
    spark: {
      instrument: synthPluck({ cutoff: 700, sweep: 2.8, decay: 0.14, sustain: 0.05, width: 1 }),
      centre: 64,
      mix: { gain: -4.5, highpass: 400, room: 0.2, echo: 0.3, duck: 0.4 },
      clips: { up: { arp: '..1..3..4..3..2.', up: 12 } },
    },
    chant: {
      instrument: vocal({ doubles: 4, breath: 0.08, vibrato: 0.08, size: 1 }),
      mix: { gain: -3, highpass: 200, room: 0.2, echo: 0.1, duck: 0.15 },
      clips: {
        hook: {
          line: `G4/3!:pa Eb4/3:ri D4/2:da r/2 Eb4/2:te F4/2:mi G4/2:mai | F#4/6!:lai r/2 A4/2:wo F#4/2:no D4/4:tai
                 Bb4/3!:pa G4/3:ri F4/2:da r/2 G4/2:ho Bb4/2:mai D5/2:ha | C5/3!:so Bb4/3:mi G4/2:a F#4/4:ho r/4`,
        },
        last: { line: 'G4/3?:pa Eb4/3:ri D4/2:da F#4/6:o r/2 | G4/10?:mai r/6' },
      },
    },
    vox: {
      instrument: vocal({ doubles: 0, breath: 0.1, vibrato: 0.08, size: 0.94 }),
      mix: { gain: 1, highpass: 140, room: 0.12, echo: 0.12 },
      clips: {
        verse: {
          line: `r/2 G3/1:da G3/1:ta Bb3/1:ki G3/1:da D4/2:hei r/2 D4/1:to C4/1:na Bb3/2:lo G3/2:mai | r/2 F4/2:hei D4/2:o r/4 C4/1:ta Bb3/1:ka G3/4:no
                 r/2 Bb3/1:da Bb3/1:ta Eb4/1:ki D4/1:da Bb3/2:hei r/2 D4/1:to C4/1:na Bb3/2:lo G3/2:mai | r/2 A3/1:so A3/1:ka C4/2:te ~Eb4/2 D4/6:hau r/2`,
        },
        second: {
          line: `r/2 D4/1:da D4/1:ta F4/1:ki D4/1:da G4/2:hei r/2 F4/1:to D4/1:na C4/2:lo Bb3/2:mai | r/2 F4/2:hei D4/2:o r/4 C4/1:ta Bb3/1:ka G3/4:no
                 r/2 Bb3/1:da D4/1:ta Eb4/1:ki D4/1:da G4/2:hei r/2 F4/1:to Eb4/1:na D4/2:lo Bb3/2:mai | r/2 A3/1:so C4/1:ka Eb4/2:te ~F#4/2 D4/4:hau r/4`,
        },
        answer: { line: 'r/14 G4/1:hei G4/1 | r/6 D4/2:hei r/8 | r/14 D4/1:hei D4/1 | r/12 D4/2:hei r/2' },
      },
    },
  },
  room: { seconds: 1.2, damp: 6000, predelay: 0.012 },
  echo: { steps: 3, feedback: 0.3 },
  surface: { crackle: 3, hiss: 0.0009 },
  tape: 0,
}
