import { roundBass } from '../bass.ts'
import { electricPiano, warmPad } from '../keys.ts'
import { lead } from '../lead.ts'
import { guitar } from '../plucked.ts'
import type { Score } from '../score.ts'
import { vocal } from '../vocal.ts'

/** Laid back: a guitar, a whistled hook, a fingered bass behind the beat. */
export const skywayAtDusk: Score = {
  swing: 0.24,
  drag: 0.014,
  loose: 0.006,
  kit: {
    kick: { tune: 52, sweep: 150, decay: 0.3, click: 0.6, drive: 1.5 },
    snare: { tone: 205, wires: 0.55, decay: 0.16, bright: 3800 },
    clap: { bright: 1100, tail: 0.12 },
    rim: { hertz: 900, length: 0.03, air: 0.35 },
    hat: { decay: 0.034, edge: 6800, metal: 0.4, tune: 0.92 },
    open: 0.18,
    skins: { low: 110, high: 232 },
    bell: 560,
    levels: { snare: -1, hat: -1 },
  },
  grooves: {
    brush: { shaker: 'o.xgo.xgo.xgo.xg', rim: '....o.......o...' },
    verse: {
      kick: 'X......x..X..... X.....x...X....x',
      snare: '....X..g....X... ....X..g.g..X..g',
      hat: 'x.x.xgx.x.x.x.xg x.x.xgx.x.xgx.x.',
      shaker: 'o.xgo.xgo.xgo.xg',
    },
    hook: {
      kick: 'X..x...x..X..... X..x..x...X..x.x',
      snare: '....X..g....X... ....X..g.g..X..g',
      rim: '..........o..g.. ...o......o..g..',
      hat: 'x.xgxgx.x.xgx.xg x.xgxgx.x.xgx.x.',
      open: '..............x. ..............x.',
      shaker: 'oxXgoxXgoxXgoxXg',
      low: '...........o..o. ..............o.',
      high: '......o......... ...o..o.....o...',
    },
    fill: { kick: 'X......x..X.....', snare: '....X..g.xgxoxxX', shaker: 'o.xgo.xg........', low: '..........o..o..' },
  },
  progressions: {
    verse: 'Am7 | Dm7 | Fmaj7 | E7#9',
    hook: 'Fmaj9 | G | Am7 | Am | Fmaj7 | Dm9 | E7b9 | Am',
    end: 'Dm9 E7b9 | Am9',
  },
  sections: [
    {
      name: 'intro',
      bars: 4,
      chords: 'verse',
      groove: 'brush',
      play: { guitar: 'pick', whistle: 'call' },
      tone: [900, 5000],
      level: 2,
    },
    {
      name: 'verse',
      bars: 8,
      chords: 'verse',
      groove: 'verse',
      fill: 'fill',
      play: { guitar: 'pick', bass: 'verse', vox: 'verse', keys: 'touch' },
      stop: 2,
      level: -1.5,
    },
    {
      name: 'hook',
      bars: 8,
      chords: 'hook',
      groove: 'hook',
      fill: 'fill',
      play: { guitar: 'strum', bass: 'hook', keys: 'long', pad: 'long', whistle: 'hook', choir: 'hook' },
      impact: true,
    },
    {
      name: 'verse',
      bars: 4,
      chords: 'verse',
      groove: 'verse',
      play: { guitar: 'pick', bass: 'verse', vox: 'second', keys: 'touch' },
      stop: 4,
      riser: 1,
      level: -1.8,
    },
    {
      name: 'hook',
      bars: 4,
      chords: 'hook',
      groove: 'hook',
      play: { guitar: 'strum', bass: 'hook', keys: 'long', pad: 'long', whistle: 'hook', choir: 'hook' },
      impact: true,
    },
    {
      name: 'outro',
      bars: 2,
      chords: 'end',
      groove: 'brush',
      play: { guitar: 'last', keys: 'long', whistle: 'last' },
      tone: [7000, 1400],
      level: 0.5,
    },
  ],
  parts: {
    guitar: {
      instrument: guitar({ damp: 0.4, ring: 2.2, pick: 0.22 }),
      centre: 58,
      mix: { gain: 3.5, highpass: 110, pan: -0.25, room: 0.2, echo: 0.08, duck: 0.15, chorus: 0.35 },
      clips: {
        pick: { arp: '0.2.1.3-2.1.3.2- 0-2.4.3-1.2.3---' },
        strum: { chords: 'X--.o-x-..x-o-x- X--.o-x-..x-o...', strum: 0.016 },
        last: { chords: 'X-------x------- X---------------', strum: 0.05 },
      },
    },
    keys: {
      instrument: electricPiano({ bark: 0.8, tine: 0.6, decay: 3.6 }),
      centre: 65,
      mix: { gain: -3.5, highpass: 200, pan: 0.2, room: 0.2, duck: 0.3, chorus: 0.5, tremolo: 0.7 },
      clips: {
        touch: { chords: '......x---...... ..........o-x---' },
        long: { chords: 'x---------o-----', strum: 0.03 },
      },
    },
    pad: {
      instrument: warmPad({ attack: 0.5, release: 0.9, cutoff: 1100, drift: 0.7 }),
      centre: 64,
      mix: { gain: -6, highpass: 260, room: 0.3, duck: 0.5 },
      clips: { long: { chords: 'x---------------' } },
    },
    bass: {
      instrument: roundBass({ bite: 0.35, saws: 0.35, decay: 0.16 }),
      centre: 31,
      mix: { gain: -1, lowpass: 3200, duck: 0.55, quick: true },
      clips: {
        verse: { line: '1/6! r/1 1/2 5/1 8/3 r/1 7/2 | 1/5! r/1 1/3 r/1 5/2 1/2 9/2' },
        hook: { line: '1/3! 1/3 r/1 5/2 8/2 r/1 5/2 9/2 | 1/3! 1/2 r/1 8/2 5/2 1/3 ~9/3' },
      },
    },
    whistle: {
      instrument: lead({ reed: 0.16, cutoff: 3200, glide: 0.09, attack: 0.05 }),
      mix: { gain: -10.5, highpass: 300, pan: 0.12, room: 0.36, echo: 0.24 },
      clips: {
        call: { line: 'r/16 | r/10 E5/2? ~G5/4 | E5/8? r/8 | r/4 D5/2? C5/2 ~B4/8' },
        hook: {
          line: `r/2 A4/2 C5/2 E5/4! ~G5/2 E5/4 | D5/6 ~E5/2 B4/4 r/4 | r/2 A4/2 C5/2 E5/4! ~D5/2 C5/4 | A4/10 r/6
                 r/2 A4/2 C5/2 E5/4! ~A5/2 G5/4 | G5/4 ~E5/2 D5/6 r/4 | r/2 E5/2 F5/2 E5/2 ~D5/2 B4/2 G#4/4 | A4/12 r/4`,
        },
        last: { line: 'r/2 E5/2? ~F5/4 ~E5/4 ~D5/4 | ~C5/4 ~A4/10? r/2' },
      },
    },
    choir: {
      instrument: vocal({ doubles: 2, breath: 0.12, vibrato: 0.15, size: 1.02 }),
      mix: { gain: -6.5, highpass: 240, room: 0.4, echo: 0.1 },
      clips: {
        hook: {
          line: `r/8 C4/8:u | ~B3/14:o r/2 | r/8 E4/8:u | ~C4/14:o r/2 | r/8 C4/8:u | ~D4/14:o r/2 | r/4 D4/8:u ~B3/4 | ~C4/14:a r/2`,
        },
      },
    },
    vox: {
      instrument: vocal({ doubles: 0, breath: 0.15, vibrato: 0.16, size: 0.96 }),
      mix: { gain: -1, highpass: 140, room: 0.18, echo: 0.12 },
      clips: {
        verse: {
          line: `r/4 C4/2:dau D4/1:nu E4/3:o ~D4/2 C4/4:ba | r/2 A3/2:lai C4/2:ta D4/4:lo r/6
                 r/4 C4/2:te D4/1:na E4/3:mai ~G4/2 E4/4:wei | r/2 D4/2:hou C4/2:lo ~B3/4:na r/6
                 r/4 E4/2:dau G4/1:nu A4/3:o ~G4/2 E4/4:ba | r/2 D4/2:lai E4/2:ta F4/4:lo r/6
                 r/2 E4/1:te E4/1:na G4/2:mai E4/2:ke ~D4/2 C4/4:wei r/2 | r/2 D4/2:hou E4/2:lo ~D4/2 ~B3/4:na r/4`,
        },
        second: {
          line: `r/4 A4/2:sai G4/1:o E4/3:wo ~D4/2 C4/4:ta | r/2 D4/2:hai E4/2:na F4/4:lo r/6
                 r/2 E4/1:te E4/1:na G4/2:mai A4/4:ke ~G4/2 E4/4:wei | r/2 E4/2:hou F4/2:lo ~E4/2 ~D4/2:na ~B3/2 r/4`,
        },
      },
    },
  },
  room: { seconds: 1.7, damp: 4600, predelay: 0.018 },
  echo: { steps: 3, feedback: 0.38 },
  surface: { crackle: 9, hiss: 0.002 },
  tape: 0.00025,
}
