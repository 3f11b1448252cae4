/** Heads of spitz, herding and primitive dogs. */
import { profile, type HeadShape } from './profile.ts'

// Tables of coordinates, one shape per line.
// prettier-ignore
export const PRICK_EARED_HEADS = {
  spitz: { outline: [[0, 44], [23, 48], [43, 62], [55, 86], [59, 106], [51, 130], [36, 147], [20, 161], [0, 166]], eye: [24, 98, 7.4], noseY: 124, muzzle: [25, 9], kind: 'plain', up: [34, 62, 10], down: [46, 64, -4], nose: 12.5 },
  pomeranian: { outline: profile(47, 156, [29, 46, 53, 54, 43, 27, 13]), eye: [21.5, 100, 8.6], noseY: 121, muzzle: [17.5, 7], kind: 'plain', up: [29, 60, 14], down: [44, 64, -4], nose: 9.5 },
  husky: { outline: profile(42, 169, [26, 42, 50, 53, 44, 32, 17]), eye: [22.5, 96, 7], noseY: 130, muzzle: [23.5, 9], kind: 'plain', up: [30, 56, 4], down: [44, 62, -4], nose: 12.5 },
  malamute: { outline: profile(40, 168, [32, 52, 62, 62, 52, 40, 23]), eye: [25, 95, 6.6], noseY: 127, muzzle: [28, 11], kind: 'plain', up: [45, 57, 20], down: [50, 62, -4], nose: 14.5 },
  laika: { outline: profile(42, 169, [24, 41, 51, 53, 38, 25, 12]), eye: [22.5, 95, 6.6], noseY: 132, muzzle: [20, 8], kind: 'plain', up: [32, 58, 12], down: [44, 62, -4], nose: 12 },
  elkhound: { outline: profile(44, 164, [31, 49, 57, 54, 38, 27, 15]), eye: [23, 98, 7], noseY: 126, muzzle: [21.5, 9], kind: 'plain', up: [35, 62, 4], down: [46, 64, -4], nose: 12.5 },
  akita: { outline: profile(44, 164, [34, 54, 63, 64, 53, 37, 20]), eye: [27, 99, 5.8], noseY: 126, muzzle: [25, 10], kind: 'plain', up: [42, 63, 18], down: [52, 66, -4], nose: 13 },
  shiba: { outline: profile(47, 162, [29, 47, 57, 61, 49, 31, 15]), eye: [25, 100, 6.4], noseY: 127, muzzle: [21, 8], kind: 'plain', up: [37, 63, 14], down: [46, 66, -4], nose: 11 },
  samoyed: { outline: profile(44, 164, [28, 47, 58, 61, 50, 36, 19]), eye: [23.5, 98, 6.8], noseY: 124, muzzle: [25, 9], kind: 'plain', up: [37, 60, 16], down: [48, 64, -4], nose: 12.5 },
  chow: { outline: profile(42, 164, [34, 55, 64, 65, 60, 49, 31]), eye: [26, 97, 5.4], noseY: 121, muzzle: [36, 16], kind: 'plain', up: [45, 60, 22], down: [52, 64, -4], nose: 16 },
  lapphund: { outline: profile(47, 160, [32, 50, 58, 56, 43, 29, 15]), eye: [23, 99, 7.4], noseY: 122, muzzle: [21, 8], kind: 'plain', up: [41, 64, 24], down: [48, 66, -4], nose: 12 },
  shepherd: { outline: [[0, 41], [21, 45], [39, 58], [48, 80], [48, 98], [40, 122], [30, 144], [20, 161], [9, 168], [0, 169]], eye: [22, 93, 7.4], noseY: 132, muzzle: [24, 10], kind: 'plain', up: [29, 58, 8], down: [42, 60, -4], nose: 13.5 },
  alsatian: { outline: profile(39, 171, [24, 41, 49, 49, 40, 31, 18]), eye: [22.5, 92, 7.2], noseY: 134, muzzle: [25, 10], kind: 'plain', up: [30, 56, 7], down: [43, 60, -4], nose: 13.5 },
  belgian: { outline: profile(42, 171, [19, 33, 41, 41, 32, 24, 13]), eye: [20.5, 92, 7], noseY: 138, muzzle: [19.5, 9], kind: 'plain', up: [24, 58, -1], down: [38, 60, -4], nose: 12.5 },
  wolf: { outline: profile(38, 171, [22, 40, 54, 59, 45, 29, 14]), eye: [21, 91, 6.4], noseY: 139, muzzle: [22, 9], kind: 'plain', up: [32, 54, 14], down: [46, 60, -4], nose: 12.5 },
  collie: { outline: profile(38, 173, [17, 29, 35, 33, 26, 19, 10]), eye: [18, 90, 6.4], noseY: 146, muzzle: [16.5, 8], kind: 'plain', up: [24, 54, 2], down: [32, 56, -4], nose: 11 },
  cattle: { outline: profile(43, 164, [31, 49, 57, 56, 46, 33, 18]), eye: [25, 95, 6.8], noseY: 128, muzzle: [25, 11], kind: 'plain', up: [39, 59, 18], down: [48, 62, -4], nose: 13 },
  corgi: { outline: profile(46, 165, [28, 47, 57, 56, 40, 26, 12]), eye: [24.5, 97, 8], noseY: 133, muzzle: [19, 8], kind: 'plain', up: [38, 60, 18], down: [48, 64, -4], nose: 11 },
  kelpie: { outline: profile(42, 169, [23, 40, 48, 45, 33, 23, 12]), eye: [22.5, 93, 7], noseY: 136, muzzle: [18.5, 8], kind: 'plain', up: [33, 58, 18], down: [42, 60, -4], nose: 12 },
  aussie: { outline: profile(41, 167, [27, 43, 49, 46, 37, 29, 16]), eye: [23, 95, 7.6], noseY: 131, muzzle: [23, 9], kind: 'plain', up: [32, 58, 14], down: [43, 56, -16], nose: 13 },
  foxy: { outline: profile(43, 169, [21, 37, 46, 44, 31, 20, 10]), eye: [22, 94, 7.2], noseY: 138, muzzle: [16, 7], kind: 'plain', up: [28, 58, 8], down: [40, 60, -4], nose: 10.5 },
  beauceron: { outline: profile(35, 173, [22, 36, 43, 42, 36, 30, 18]), eye: [21.5, 89, 6.8], noseY: 139, muzzle: [23, 10], kind: 'plain', up: [27, 52, 6], down: [37, 53, -6], nose: 13.5 },
  bobtail: { outline: profile(37, 165, [36, 56, 63, 61, 53, 42, 25]), eye: [25, 99, 7.6], noseY: 124, muzzle: [29, 11], kind: 'plain', up: [40, 58, 12], down: [50, 72, -2], nose: 16 },
  briard: { outline: profile(36, 170, [29, 44, 48, 46, 43, 38, 23]), eye: [22, 93, 7], noseY: 129, muzzle: [27, 11], kind: 'plain', up: [30, 54, 6], down: [41, 58, -4], nose: 15 },
  primitive: { outline: [[0, 42], [20, 46], [38, 58], [47, 79], [45, 100], [36, 124], [27, 146], [17, 161], [0, 167]], eye: [22, 92, 7.2], noseY: 132, muzzle: [22, 9], kind: 'plain', up: [30, 58, 10], down: [40, 60, -4], nose: 12 },
  podenco: { outline: profile(38, 173, [15, 28, 37, 36, 25, 17, 9]), eye: [20, 90, 6.8], noseY: 146, muzzle: [15.5, 7], kind: 'plain', up: [25, 54, 10], down: [34, 56, -4], nose: 11 },
  basenji: { outline: profile(47, 164, [26, 43, 50, 46, 35, 27, 15]), eye: [24, 99, 7], noseY: 133, muzzle: [20.5, 9], kind: 'plain', up: [32, 62, 2], down: [42, 64, -4], nose: 11.5 },
  xolo: { outline: profile(41, 170, [18, 33, 42, 40, 29, 20, 10]), eye: [21.5, 92, 6.8], noseY: 139, muzzle: [17.5, 8], kind: 'plain', up: [28, 57, 15], down: [38, 58, -4], nose: 11.5 },
} satisfies Record<string, HeadShape>
