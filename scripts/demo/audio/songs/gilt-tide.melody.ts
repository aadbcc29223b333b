/** The hook: two bars of question, two of answer, said twice; sung on the vowels of the artist's own line. */
export const HOOK = `C5/3:tai Bb4/3:ke Ab4/2:i C5/6!:go r/2 | Eb5/3:so Db5/3:ai C5/2:wo Bb4/6:ho r/2
  C5/3:o Bb4/3:na Ab4/2:wo ~G4/2:o ~F4/4:ta r/2 | r/4 E4/2:u G4/2 Bb4/2 ~Ab4/2 ~G4/4
  C5/3:tai Bb4/3:ke Ab4/2:i C5/6!:go r/2 | Eb5/3:so F5/3!:ai Eb5/2:wo C5/6:ho r/2
  C5/2:o Db5/4:na C5/2:wo Bb4/3:o ~Ab4/1 ~G4/2 r/2 | F4/10:ta r/6`

/** The verse, close to the microphone; its last bar leans on the leading note. */
export const VERSE = `r/2 C4/2:lai C4/1:o Eb4/1:na F4/4:bri r/6 | r/2 F4/1:ru Eb4/1:ni Db4/2:lo ~C4/4 r/6
  r/2 C4/1:ai Eb4/1:ki F4/1:pa Ab4/2:wi F4/1:do Eb4/4:dau r/4 | r/6 G4/2:u ~F4/2 ~E4/6
  r/2 C4/2:lai C4/1:o Eb4/1:na F4/2:wo ~Ab4/4:ta r/4 | r/2 Ab4/1:so F4/1:ai Eb4/2:lo ~Db4/4 r/6
  r/2 F4/1:ti F4/1:la Ab4/1:go C5/3:lau Bb4/2:na Ab4/4:tai r/2 | G4/3:ho Bb4/3:to ~G4/2:ni ~E4/6:tai r/2`

/** The glass bells that fill the hook's rests. */
export const ANSWER = `r/10 Ab5/2 C6/4 | r/10 G5/2 Bb5/4 | r/10 C6/2 Eb6/2 C6/2 | r/4 E5/2 G5/2 Bb5/2 Db6/2 C6/4
  r/10 Ab5/2 F6/4 | r/10 G5/2 Eb6/4 | r/10 Bb5/2 Db6/4 | Ab5/2 C6/2 F6/8 r/4`
