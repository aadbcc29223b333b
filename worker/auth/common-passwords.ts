// `npm run admin:create` loads this file in Node: imports keep the `.ts` ending.
import { normalizeKey } from '../lib/email.ts'

// One word covers hundreds of passwords: the comparison ignores case, digits and symbols at both ends, and common
// substitutions (p@ssw0rd).
const COMMON_WORDS = new Set(
  `password passwort passwd passcode pass passphrase mypassword thepassword newpassword oldpassword yourpassword changeme
  changeit letmein letmeinnow opensesame access default secret topsecret login logon logmein welcome welcomeback
  administrator admin rootroot toor guest master superman supergirl batman spiderman ironman wonderwoman catwoman
  starwars startrek skywalker yoda pokemon pikachu naruto minecraft fortnite roblox nintendo playstation xbox
  gameover gamer football futbol soccer baseball basketball hockey lacrosse volleyball softball tennis swimming
  golfer golfing runner boxing wrestling skateboard snowboard surfing fishing hunting racing nascar ferrari porsche
  mercedes mustang corvette camaro harley yamaha honda toyota nissan chevy bigdaddy bigboy bigdog hotrod
  iloveyou iloveu loveyou loveme lovely lover lovers mylove truelove firstlove iloveme ihateyou babygirl babyboy
  babyblue princess prince queen king angel angels angelica sweetheart sweetie honey honeybee sugar cookie cookies
  cupcake chocolate vanilla cinnamon cheesecake banana apple orange cherry strawberry pineapple coconut watermelon
  pepper ginger garlic butter peanut pumpkin pickle pizza taco burger coffee guinness whiskey vodka tequila budweiser
  sunshine sunflower sunset sunrise moonlight starlight rainbow butterfly dragonfly ladybug dolphin dolphins tiger
  tigers lion lions panther panthers eagle eagles falcon falcons hawk hawks raven ravens phoenix dragon dragons
  unicorn monkey monkeys gorilla panda koala kitty kitten kittycat hellokitty puppy doggie buster buddy max maxwell
  charlie bailey lucky rocky rascal shadow smokey spike oscar oliver toby jasper duke cooper tucker harley bella
  daisy molly sophie lucy chloe coco ruby sadie maggie misty whiskers fluffy snowball snowflake snoopy garfield
  mickey minnie tigger winnie pooh bugsbunny scooby scoobydoo simpsons homer bart southpark spongebob patrick
  michael michelle jessica jennifer jordan joshua justin daniel danielle david andrew anthony thomas matthew
  christopher christian christina nicholas nicole natalie natasha robert richard william jonathan joseph benjamin
  alexander alexandra alexis amanda ashley brandon brittany samantha stephanie elizabeth victoria veronica vanessa
  melissa patricia barbara rebecca rachel sarah hannah heather lauren lindsey madison megan olivia isabella sabrina
  sandra tiffany taylor tyler travis trevor steven martin marina maria maggie killer hunter ranger soldier warrior
  ninja samurai pirate cowboy cowboys redskins steelers packers raiders broncos patriots dallas yankees redsox cubs
  dodgers giants mets lakers celtics bulls knicks spurs heat bruins rangers flyers penguins canada america american
  usa england london paris berlin moscow newyork chicago boston denver houston phoenix atlanta miami orlando florida
  tampa tampabay california texas arizona georgia virginia carolina hawaii liverpool chelsea arsenal manchester
  manutd barcelona realmadrid juventus summer spring winter autumn january february march april may june july august
  september october november december monday tuesday wednesday thursday friday saturday sunday birthday christmas
  halloween easter holiday vacation freedom liberty justice peace faith hope blessed blessing heaven jesus jesuschrist
  christ godisgood god bible angelsandemons devil lucifer demon satan hellfire metal metallica slipknot nirvana
  linkinpark greenday blink eminem tupac biggie snoopdogg drake beyonce rihanna madonna beatles elvis acdc ledzeppelin
  pinkfloyd gunsnroses bonjovi ramones music musical musiclover guitar guitarist piano drummer drums violin singer
  songs hiphop rapper rapstar rocknroll rockstar punkrock reggae bobmarley playlist spotify youtube instagram tiktok
  facebook twitter snapchat google gmail yahoo hotmail internet computer keyboard monitor laptop windows microsoft
  apple iphone android samsung nokia blackberry linux ubuntu oracle cisco server database network wireless hacker
  hacked hackme matrix neo trinity morpheus zion cyber trustno trustnoone noone nobody nothing everything whatever
  forever foreverandever always never whoknows idontknow dontknow nopassword none test testing tester testtest
  testpass demo sample example temp temporary abcabc abcdef abcd abcde asdf asdfgh asdfghjkl asdasd asdfasdf qwerty
  qwertyuiop qwertz azerty qazwsx qazwsxedc wsxedc zxcvbn zxcvbnm zxcv poiuy poiuytrewq lkjhgfdsa mnbvcxz qweasd
  qweasdzxc qweqwe zaqwsx zaq xsw aaaa xxxx zzzz sex sexy sexygirl hottie hotstuff bigtits boobs playboy porn pussy
  fuckyou fuckme fuckoff fuck asshole bitch bastard shit bullshit badass badboy badgirl naughty cumshot dickhead
  blowme suckit maverick goose iceman top gun topgun rambo terminator predator alien godfather scarface gandalf frodo
  legolas aragorn hobbit lordoftherings harrypotter hogwarts dumbledore hermione voldemort gryffindor slytherin
  zelda mario luigi sonic pacman tetris halo callofduty warcraft starcraft diablo counterstrike steam twitch discord
  money moneyman cash dollar dollars rich richman million millionaire bitcoin crypto silver golden gold diamond
  platinum emerald sapphire crystal pearl purple yellow green orange blue red black white pink turquoise
  blackjack poker casino jackpot lucky seven number one thebest bestfriend bestfriends friends friend family mother
  father brother sister daddy mommy mummy mamma papa grandma grandpa children baby babies son daughter husband wife
  hello hellohello helloworld goodbye hithere hey heythere whatsup howareyou yes yesyes nono please thankyou sorry
  ncc enterprise voyager galaxy universe planet earth moon stars cosmos space spaceman rocket nasa apollo saturn
  jupiter venus mercury pluto zeus hercules achilles spartan spartacus gladiator caesar cleopatra merlin arthur
  lancelot camelot excalibur knight knights wizard magic magical mystic mystery fantasy dream dreamer dreams happy
  happiness happyday smile smiley laughing lol lmao rofl haha hahaha cool coolio coolguy coolcat awesome amazing
  fantastic wonderful beautiful pretty gorgeous handsome cutie cutiepie sexybeast hotdog cheese bacon chicken turkey
  beef steak sausage burrito potato tomato onion carrot broccoli mushroom spaghetti lasagna macaroni noodle ramen
  sushi teriyaki flower flowers rose roses lily violet jasmine tulip orchid garden forest mountain river ocean beach
  island paradise sunnyday rainyday storm thunder lightning hurricane tornado volcano earthquake fire firefly fireman
  firebird icecream snowman blizzard college university school student teacher professor doctor nurse police officer
  sergeant captain general marine marines navy army airforce semperfi pilot airplane boeing airbus helicopter`
    .split(/\s+/)
    .filter(Boolean),
)

const SEQUENCES = [
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789012345678901234567890',
  'qwertyuiopasdfghjklzxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '1q2w3e4r5t6y7u8i9o0p',
  '1a2b3c4d5e6f7g8h9i',
  'a1b2c3d4e5f6g7h8i9',
  'qawsedrftgyhujikolp',
  'qwaszxedcrfv',
  '147258369',
  '159357',
  '741852963',
  '789456123',
]
const REVERSED_SEQUENCES = SEQUENCES.map((sequence) => [...sequence].reverse().join(''))

/** Passwords with fewer characters outside keyboard sequences are too weak: '12345678a', 'zaq12wsx', 'abc12345'. */
const MIN_CHARS_OUTSIDE_SEQUENCES = 4
const MIN_SEQUENCE_LENGTH = 3
const LEET_CHARACTERS: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}
const undoLeet = (text: string) => text.replace(/[0134579@$!]/g, (character) => LEET_CHARACTERS[character] ?? character)

/** Passwords that add fewer characters to a known word (such as the username) are too weak. */
const MIN_CHARS_BESIDE_KNOWN_WORD = 6
const MIN_KNOWN_WORD_LENGTH = 4

/**
 * True for passwords that guessing tools try first: common words with substitutions, keyboard runs, repetitions, and
 * `knownWords` with few characters added.
 */
export function isCommonPassword(password: string, knownWords: readonly string[]): boolean {
  const plain = normalizeKey(password).replace(/\s/g, '')
  const withoutLeet = undoLeet(plain)
  const trimEnds = (text: string) => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const spellings = [
    plain,
    withoutLeet,
    trimEnds(plain),
    trimEnds(withoutLeet),
    // Trimmed before undoing substitutions: 'Dragon1!' would become 'dragonii'.
    undoLeet(trimEnds(plain)),
  ]
  if (spellings.some((text) => COMMON_WORDS.has(text))) return true
  if (/^(.{1,4})\1+$/u.test(plain)) return true
  // '11223344' is the sequence 1234 with every key doubled.
  const undoubled = /^(?:(.)\1)+$/u.test(plain) ? plain.replace(/(.)\1/gu, '$1') : plain
  if ([plain, undoubled].some((text) => countOutsideSequences(text) < MIN_CHARS_OUTSIDE_SEQUENCES)) return true
  const alphanumericKey = (text: string) => normalizeKey(text).replace(/[^\p{L}\p{N}]/gu, '')
  const texts = [alphanumericKey(password), alphanumericKey(withoutLeet)]
  return knownWords
    .map(alphanumericKey)
    .filter((word) => word.length >= MIN_KNOWN_WORD_LENGTH)
    .some((word) =>
      texts.some((text) => text.includes(word) && text.length - word.length < MIN_CHARS_BESIDE_KNOWN_WORD),
    )
}

/** Number of characters left after removing the longest keyboard sequences from left to right. */
function countOutsideSequences(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; ) {
    let length = text.length - index
    while (
      length >= MIN_SEQUENCE_LENGTH &&
      ![...SEQUENCES, ...REVERSED_SEQUENCES].some((sequence) => sequence.includes(text.slice(index, index + length)))
    )
      length--
    if (length >= MIN_SEQUENCE_LENGTH) index += length
    else {
      count++
      index++
    }
  }
  return count
}
