import { sub808 } from '../bass.ts'
import { warmPad } from '../keys.ts'
import { lead } from '../lead.ts'
import { mallet, synthPluck } from '../plucked.ts'
import type { Score } from '../score.ts'
import { vocal } from '../vocal.ts'

/** Trap in half time: a storm bell, hats that roll, an 808 driven until it growls. */
export const lowCountryLightning: Score = {
  swing: 0.04,
  drag: 0,
  loose: 0.002,
  kit: {
    kick: { tune: 50, sweep: 320, decay: 0.24, click: 1.2, drive: 2.4 },
    snare: { tone: 224, wires: 0.7, decay: 0.15, bright: 6200 },
    clap: { bright: 1500, tail: 0.18 },
    rim: { hertz: 1100, length: 0.015, air: 0.2 },
    hat: { decay: 0.02, edge: 8200, metal: 0.6, tune: 1.16 },
    open: 0.16,
    skins: { low: 90, high: 190 },
    bell: 622,
    levels: { hat: 1.5 },
  },
  grooves: {
    storm: { hat: 'x...x...x...x...', rim: '..............o.' },
    verse: {
      kick: 'X.........x..... ..x...X......... X......x..x..... ..X.......x..x..',
      clap: '........X....... ........X....... ........X....... ........X.......',
      snare: '........X....... ........X....... ........X....... ........X.....go',
      hat: 'x.x.x.x.x.x.x.2. x.x.x.3.x.x.x.x. x.x.x.x.x.4.x.x. x.2.x.x.x.x.4.6.',
      rim: '...o......g..... .....o.......g.. ...o......g..... .....o..........',
    },
    hook: {
      kick: 'X.....x...x..... ..x...X...x..... X.....x...x...x. ..X...x...x..xx.',
      clap: '........X....... ........X....... ........X....... ........X.......',
      snare: '........X....... ........X..g.... ........X....... ........X...g.xx',
      hat: 'x.x2x.x.x.x.3.x. xgx.x.6.x.x.x.4. x.x2x.x.x.4.x.x. 2.x.x.x.3.3.6.6.',
      open: '............x... ..............x. ............x... ................',
      ride: 'x...x...x...x...',
      high: '..............o. ...o............ ..............o. ..........o.o.o.',
    },
    fill: { kick: 'X...............', snare: '........X.2.3.46', low: 'x..o..x.........', hat: '4.6.4.6.........' },
  },
  progressions: {
    verse: 'Cm | Cm | Abmaj7 | Abmaj7 | Fm7 | Fm7 | G7b9 | G7b9',
    hook: 'Cm | Cm | Abmaj7 | Abmaj7 | Fm9 | Fm9 | G7 | G7b9',
    end: 'Abmaj7 | G7b9 | Cm | Cm',
  },
  sections: [
    {
      name: 'intro',
      bars: 4,
      chords: 'end',
      groove: 'storm',
      play: { bell: 'omen', pad: 'long' },
      tone: [700, 6000],
      riser: 2,
      level: 1.5,
    },
    {
      name: 'hook',
      bars: 8,
      chords: 'hook',
      groove: 'verse',
      play: { bell: 'storm', bass: 'hook', choir: 'hook' },
      impact: true,
      stop: 2,
      level: -0.8,
    },
    {
      name: 'verse',
      bars: 16,
      chords: 'verse',
      groove: 'verse',
      fill: 'fill',
      play: { bell: 'storm', bass: 'verse', vox: 'verse', pulse: 'low' },
      impact: true,
      stop: 2,
      riser: 2,
      level: -1.2,
    },
    {
      name: 'hook',
      bars: 8,
      chords: 'hook',
      groove: 'hook',
      fill: 'fill',
      play: { bell: 'storm', bass: 'hook', pad: 'long', choir: 'hook', pulse: 'high', horn: 'hook' },
      impact: true,
    },
    {
      name: 'break',
      bars: 4,
      chords: 'end',
      play: { bell: 'omen', pad: 'long', vox: 'break' },
      tone: [5000, 700],
      riser: 2,
      level: 0,
    },
    {
      name: 'hook',
      bars: 8,
      chords: 'hook',
      groove: 'hook',
      fill: 'fill',
      play: { bell: 'storm', bass: 'hook', pad: 'long', choir: 'hook', pulse: 'high', horn: 'hook', vox: 'answer' },
      impact: true,
    },
    {
      name: 'outro',
      bars: 4,
      chords: 'end',
      groove: 'storm',
      play: { bell: 'omen', pad: 'long' },
      tone: [8000, 500],
      level: 0,
    },
  ],
  parts: {
    bell: {
      instrument: mallet({ ratio: 1.41, index: 3.4, decay: 1.3 }),
      mix: { gain: 0.5, highpass: 260, room: 0.3, echo: 0.2, duck: 0.2 },
      clips: {
        storm: {
          line: `C5/4! Eb5/2 D5/2 C5/4 G4/4 | Ab4/4 G4/2 F4/2 G4/8 | C5/4! Eb5/2 D5/2 C5/4 Ab4/4 | G4/4 Ab4/2 G4/2 Eb4/8
                 C5/4! F5/2 Eb5/2 C5/4 Ab4/4 | Ab4/4 G4/2 F4/2 C5/8 | B4/4! D5/2 F5/2 D5/4 B4/4 | Ab4/4 G4/2 F4/2 G4/8`,
        },
        omen: { line: 'C5/4! Eb5/2 D5/2 C5/4 Ab4/4 | B4/4 D5/2 F5/2 Ab5/8 | G5/4! Eb5/2 D5/2 C5/4 G4/4 | C5/16' },
      },
    },
    pad: {
      instrument: warmPad({ attack: 0.35, release: 0.9, cutoff: 1000, drift: 0.9 }),
      centre: 60,
      mix: { gain: -4.5, highpass: 200, room: 0.36, duck: 0.7 },
      clips: { long: { chords: 'x---------------' } },
    },
    bass: {
      instrument: sub808({ decay: 2.4, drive: 4, glide: 0.1, punch: 1.2 }),
      centre: 28,
      mix: { gain: -6, lowpass: 3400, duck: 0.75, quick: true },
      clips: {
        verse: { line: '1/10! 1/6 | r/2 1/4 1/6! ~8/2 ~1/2 | 1/7! 1/3 1/6 | r/2 1/8! 1/3 ~9/3' },
        hook: { line: '1/6! 1/4 1/4 ~8/2 | r/2 1/4! 1/4 1/4 ~5/2 | 1/6! 1/4 1/4 8/2 | r/2 1/4! 1/4 1/3 ~9/3' },
      },
    },
    pulse: {
      instrument: synthPluck({ cutoff: 500, sweep: 2.6, decay: 0.12, sustain: 0.04, width: 0.9 }),
      centre: 60,
      mix: { gain: -5.5, highpass: 300, room: 0.14, echo: 0.26, duck: 0.5 },
      clips: { low: { arp: '0...2...1...2...' }, high: { arp: '0.1.2.1.3.2.1.2.', up: 12 } },
    },
    horn: {
      instrument: lead({ reed: 0.9, cutoff: 1500, glide: 0.07, attack: 0.04 }),
      mix: { gain: -3.5, highpass: 180, room: 0.3, duck: 0.3, chorus: 0.8 },
      clips: {
        hook: {
          line: 'C4/12 ~D4/4 | ~Eb4/12 r/4 | C4/12 ~D4/4 | ~Eb4/10 ~G4/4 r/2 | F4/12 ~G4/4 | ~Ab4/12 r/4 | G4/12 ~Ab4/4 | ~G4/8 ~F4/6 r/2',
        },
      },
    },
    choir: {
      instrument: vocal({ doubles: 4, breath: 0.07, vibrato: 0.12, size: 0.98 }),
      mix: { gain: -5, highpass: 180, room: 0.24, echo: 0.14, duck: 0.2 },
      clips: {
        hook: {
          line: `G4/4!:lai ~F4/2 Eb4/4:ni r/2 D4/2:i Eb4/2:na | C4/8:lo r/4 G3/4:ka | Ab4/4!:ta ~G4/2 Eb4/4:lai r/2 Eb4/2:o F4/2:na | Eb4/10:rou r/6
                 F4/4!:lai ~G4/2 Ab4/4:ni r/2 Ab4/2:o G4/2:na | F4/8:lo r/4 Eb4/4:ka | D4/4:ti F4/4 ~G4/4 B4/4!:hai | ~G4/10:o r/6`,
        },
      },
    },
    vox: {
      instrument: vocal({ doubles: 0, breath: 0.1, vibrato: 0.06, size: 0.9 }),
      mix: { gain: 1, highpass: 130, room: 0.1, echo: 0.12 },
      clips: {
        verse: {
          line: `C4/2!:ta C4/1:ka C4/1:da Eb4/2:lou C4/2:na r/2 C4/1:ta Bb3/1:ka G3/4:go | r/4 C4/1:ta C4/1:ka Eb4/2:wai ~D4/4:ra r/4
                 C4/2!:ta C4/1:ka C4/1:da Eb4/2:sou C4/2:na r/2 C4/1:ta Bb3/1:ka Ab3/4:lo | r/4 Eb4/2:hai D4/2:na C4/4:ho r/4
                 F4/2!:ta F4/1:ka F4/1:da Ab4/2:lou F4/2:na r/2 Eb4/1:ta D4/1:ka C4/4:go | r/4 C4/1:ta C4/1:ka F4/2:wai ~Eb4/4:ra r/4
                 D4/2!:ta D4/1:ka D4/1:da F4/2:ni D4/2:na r/2 F4/1:ta D4/1:ka B3/4:lo | r/4 G4/2:hei F4/2 ~D4/4 r/4`,
        },
        break: { line: 'r/8 Eb4/4?:o ~C4/4 | D4/12?:o r/4 | r/8 G4/4?:a ~Eb4/4 | C4/12?:o r/4' },
        answer: { line: 'r/16 | r/8 C4/2!:hei r/6 | r/16 | r/10 G4/1:hei Eb4/1 C4/2:o r/2' },
      },
    },
  },
  room: { seconds: 2.3, damp: 4200, predelay: 0.02 },
  echo: { steps: 6, feedback: 0.34 },
  surface: { crackle: 2, hiss: 0.0008 },
  tape: 0,
}
