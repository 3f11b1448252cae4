/** Heads of molossers, short-faced dogs and bull breeds. */
import { profile, type HeadShape } from './profile.ts'

// Tables of coordinates, one shape per line.
// prettier-ignore
export const MASTIFF_HEADS = {
  molosser: { outline: [[0, 37], [26, 41], [48, 55], [59, 80], [59, 106], [56, 132], [47, 151], [26, 164], [0, 168]], eye: [26, 93, 6.8], noseY: 121, muzzle: [38, 14], kind: 'jowl', up: [38, 58, 14], down: [50, 58, -8], nose: 17 },
  mastiff: { outline: profile(36, 171, [35, 56, 65, 65, 61, 54, 34]), eye: [28, 94, 6.2], noseY: 118, muzzle: [42, 16], kind: 'jowl', up: [42, 58, 14], down: [55, 62, -6], nose: 18 },
  neapolitan: { outline: profile(40, 174, [36, 54, 62, 66, 70, 68, 44]), eye: [27, 94, 6.2], noseY: 118, muzzle: [46, 17], kind: 'jowl', up: [40, 58, 14], down: [52, 60, -10], nose: 19 },
  dane: { outline: profile(24, 174, [21, 33, 39, 38, 36, 36, 25]), eye: [20.5, 85, 6.8], noseY: 135, muzzle: [30, 12], kind: 'jowl', up: [26, 44, 6], down: [32, 47, -12], nose: 16 },
  bordeaux: { outline: profile(44, 169, [39, 61, 70, 69, 63, 54, 33]), eye: [32, 97, 6.6], noseY: 116, muzzle: [45, 16], kind: 'jowl', up: [44, 62, 14], down: [60, 66, -10], nose: 17 },
  stBernard: { outline: profile(30, 168, [33, 53, 61, 59, 55, 50, 32]), eye: [26, 94, 7], noseY: 118, muzzle: [39, 14], kind: 'jowl', up: [38, 54, 14], down: [51, 64, -6], nose: 17.5 },
  newfoundland: { outline: profile(30, 166, [36, 57, 66, 64, 54, 44, 27]), eye: [26, 96, 6.6], noseY: 122, muzzle: [35, 13], kind: 'jowl', up: [40, 54, 14], down: [55, 72, -2], nose: 17 },
  corso: { outline: profile(40, 169, [26, 43, 50, 49, 47, 44, 30]), eye: [24.5, 94, 6.6], noseY: 122, muzzle: [35, 15], kind: 'jowl', up: [34, 56, 12], down: [43, 56, -10], nose: 17 },
  guardian: { outline: profile(38, 167, [30, 49, 57, 54, 43, 35, 20]), eye: [25, 95, 7], noseY: 125, muzzle: [29, 11], kind: 'plain', up: [36, 58, 14], down: [50, 60, -6], nose: 15.5 },
  bear: { outline: profile(35, 164, [37, 58, 67, 66, 57, 45, 27]), eye: [27, 93, 6.4], noseY: 120, muzzle: [33, 13], kind: 'jowl', up: [44, 56, 18], down: [58, 60, -10], nose: 16.5 },
  mountain: { outline: profile(36, 166, [30, 48, 56, 54, 45, 37, 22]), eye: [25, 95, 7.4], noseY: 123, muzzle: [31, 12], kind: 'plain', up: [36, 56, 14], down: [48, 62, -4], nose: 15.5 },
  rottweiler: { outline: profile(43, 166, [34, 54, 61, 58, 47, 38, 23]), eye: [26.5, 95, 7.2], noseY: 125, muzzle: [30, 13], kind: 'plain', up: [40, 60, 14], down: [52, 59, -12], nose: 16 },
  sharpei: { outline: profile(48, 167, [37, 55, 60, 60, 60, 57, 38]), eye: [26, 94, 5.6], noseY: 121, muzzle: [44, 22], kind: 'jowl', up: [40, 64, 14], down: [48, 64, -10], nose: 17 },
  dogo: { outline: profile(37, 167, [30, 50, 58, 56, 47, 41, 26]), eye: [27, 94, 6.6], noseY: 122, muzzle: [34, 13], kind: 'jowl', up: [38, 56, 14], down: [49, 56, -10], nose: 16.5 },
  alano: { outline: profile(47, 166, [34, 53, 60, 60, 56, 49, 31]), eye: [28, 98, 6.4], noseY: 120, muzzle: [40, 15], kind: 'jowl', up: [40, 62, 14], down: [51, 62, -10], nose: 16.5 },
  flat: { outline: [[0, 46], [28, 49], [51, 62], [62, 86], [64, 110], [59, 136], [43, 155], [20, 164], [0, 165]], eye: [29, 101, 8.6], noseY: 112, muzzle: [39, 14], kind: 'flat', up: [38, 66, 14], down: [50, 66, -6], nose: 14 },
  boxer: { outline: profile(38, 167, [26, 42, 48, 51, 54, 49, 31]), eye: [24.5, 93, 7.8], noseY: 112, muzzle: [40, 15], kind: 'flat', up: [32, 56, 8], down: [42, 56, -10], nose: 15 },
  pug: { outline: profile(50, 161, [37, 57, 64, 65, 60, 47, 27]), eye: [30.5, 102, 10.6], noseY: 112, muzzle: [33, 11], kind: 'flat', up: [40, 66, 16], down: [52, 66, -8], nose: 11.5 },
  frenchie: { outline: profile(50, 167, [33, 53, 60, 62, 62, 54, 33]), eye: [31, 100, 8.8], noseY: 109, muzzle: [41, 14], kind: 'flat', up: [36, 66, 8], down: [50, 66, -6], nose: 13.5 },
  bulldog: { outline: profile(52, 171, [36, 56, 64, 69, 72, 64, 40]), eye: [29, 99, 6.8], noseY: 106, muzzle: [49, 16], kind: 'flat', up: [40, 68, 18], down: [52, 68, -8], nose: 16.5 },
  boston: { outline: profile(45, 161, [34, 54, 59, 56, 51, 43, 26]), eye: [31, 98, 9.8], noseY: 113, muzzle: [32, 12], kind: 'flat', up: [36, 60, 12], down: [50, 64, -6], nose: 12.5 },
  peke: { outline: profile(57, 159, [39, 58, 65, 64, 57, 44, 25]), eye: [32, 102, 10], noseY: 105, muzzle: [35, 12], kind: 'flat', up: [42, 70, 16], down: [56, 72, -14], nose: 13 },
  monkey: { outline: profile(42, 161, [31, 48, 53, 51, 46, 39, 25]), eye: [25, 98, 10], noseY: 110, muzzle: [30, 11], kind: 'flat', up: [34, 58, 12], down: [44, 58, -2], nose: 11.5 },
  bull: { outline: [[0, 41], [25, 44], [46, 57], [57, 82], [58, 104], [52, 128], [40, 150], [22, 163], [0, 166]], eye: [27, 95, 7.2], noseY: 123, muzzle: [31, 12], kind: 'plain', up: [38, 58, 16], down: [47, 60, -4], nose: 15 },
  staffie: { outline: profile(45, 162, [35, 56, 65, 64, 52, 41, 24]), eye: [28, 98, 6.8], noseY: 123, muzzle: [32, 13], kind: 'plain', up: [45, 64, 18], down: [54, 66, -6], nose: 15.5 },
  pitbull: { outline: profile(39, 168, [25, 43, 53, 53, 45, 37, 23]), eye: [26, 93, 6.8], noseY: 127, muzzle: [30, 12], kind: 'plain', up: [36, 56, 14], down: [44, 56, -4], nose: 15 },
  egg: { outline: [[0, 34], [17, 37], [32, 51], [41, 76], [46, 106], [45, 136], [36, 158], [17, 168], [0, 170]], eye: [23, 90, 6.2], noseY: 137, muzzle: [31, 20], kind: 'none', up: [24, 52, 6], down: [34, 56, 0], nose: 15 },
} satisfies Record<string, HeadShape>
