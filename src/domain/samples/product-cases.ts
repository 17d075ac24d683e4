import { toCase } from './support-case.ts';

/** Questions about products, which the handbook answers. */
export const PRODUCT_CASES = (
  [
    [
      'tent-winter',
      'Which tent for two people at minus ten degrees?',
      'Firn 2: four seasons, 2.9 kg, with a snow skirt. Lark 2 is for three seasons only.',
      '- The Lark 2 is light and roomy. # Lark 2 is for three seasons only.',
      '+ Take the Firn 2: it is made for four seasons, has a snow skirt and weighs 2.9 kg. The Lark 2 is lighter, but only for three seasons.',
    ],
    [
      'jacket-leaks',
      'My jacket lets water in at the shoulders. Is that covered?',
      'Perhaps the coating is worn: wash it and tumble dry it. If it still leaks, the two-year guarantee covers it.',
      '~ Yes, for two years. # Worn coating is not covered; washing comes first.',
      '+ Under the straps of a rucksack the coating wears off. Wash the jacket with tech wash and tumble dry it on low heat for 20 minutes. If it still leaks, the two-year guarantee covers it.',
    ],
    [
      'stove-plane',
      'Is the gas stove allowed on planes?',
      'The stove yes, if it is clean and dry. Cartridges never.',
      '~ The stove is allowed. # Does not warn about the cartridge.',
      '+ The stove is allowed if it is clean and dry. Gas cartridges are never allowed, neither in the cabin nor in checked luggage.',
    ],
    [
      'boot-size',
      'I wear 43 in running shoes. Which size of your boots?',
      'Half a size up, 43.5; 44 with thick socks.',
      '- 43. # Our boots run small.',
      '+ Our boots run half a size small: take 43.5, or 44 if you wear thick socks.',
    ],
    [
      'bag-wash',
      'Can I wash my down sleeping bag in the machine?',
      'Yes, at 30 degrees with down soap, in a large drum, and dry it with tennis balls.',
      '~ Yes, at 30 degrees. # Leaves out the soap and the drying.',
      '+ Yes, at 30 °C with down soap, in a machine for at least 7 kg. Dry it on low heat with three tennis balls until no lumps are left.',
    ],
    [
      'pole-repair',
      'A tent pole broke. Do I need a new tent?',
      'No. Poles are sold one by one, and a repair sleeve is in the tent bag.',
      '+ No, you can order the pole alone, and the repair sleeve in the bag helps until then.',
      '+ No. Slide the repair sleeve from the tent bag over the break, and order the single pole under Spare parts with the name of your tent.',
    ],
    [
      'headlamp-battery',
      'How long does the headlamp last on full brightness?',
      '4 hours on 400 lumens; 60 hours on 20 lumens.',
      '- About 60 hours. # That is the time on 20 lumens.',
      '+ 4 hours on full brightness, which is 400 lumens. On 20 lumens it lasts 60 hours.',
    ],
    [
      'mat-warmth',
      'Is the Drift mat warm enough for snow?',
      'No: its R value is 2.1. Snow needs 4.5 or more, such as Drift Winter.',
      '~ It is rather for summer. # Names no mat that is warm enough.',
      '+ No. The Drift has an R value of 2.1, and snow needs at least 4.5. The Drift Winter has 5.4.',
    ],
    [
      'pack-volume',
      'Which rucksack for a hut tour of four days?',
      '35 to 40 litres: Ridge 38.',
      '- A large one, the Haul 65. # 65 litres is for tents.',
      '+ For huts, 35 to 40 litres are enough: the Ridge 38. You need the Haul 65 only if you carry a tent.',
    ],
    [
      'filter-virus',
      'Does the water filter remove viruses?',
      'No, bacteria and protozoa only. Boil the water or add tablets.',
      '- Yes. # It removes bacteria and protozoa only.',
      '+ No. It removes bacteria and protozoa. Where viruses are likely, boil the water or add chlorine tablets after filtering.',
    ],
    [
      'crampon-fit',
      'Do the Spike crampons fit my trail running shoes?',
      'No. They need a stiff sole of category B2 or higher.',
      '~ Probably not well. # Does not say which sole they need.',
      '+ No. The Spike needs a stiff sole of category B2 or higher. For soft shoes there are the chains Grip 1.',
    ],
    [
      'poles-length',
      'I am 1.82 m tall. How long should trekking poles be?',
      'Height times 0.68: about 125 cm.',
      '~ Between 110 and 130 cm. # Gives a range, not a length.',
      '+ Multiply your height by 0.68: about 125 cm. Shorten them by 5 cm uphill.',
    ],
    [
      'jacket-seal',
      'Can I iron the membrane jacket to renew its coating?',
      'Yes, on low heat, with a cloth between, without steam.',
      '- No, never. # Low heat with a cloth renews it.',
      '~ Yes, on low heat. # Leaves out the cloth.',
    ],
    [
      'rope-age',
      'My climbing rope is eight years old and hardly used. Is it safe?',
      'No. Replace it after seven years with rare use, ten years at most when never used.',
      '- If it looks fine, yes. # It must be replaced after seven years.',
      '~ Ropes age without use. Replace it after ten years at the latest. # It was used, so the limit is seven years.',
    ],
    [
      'merino-smell',
      'Why is merino better than cotton for hiking?',
      'It warms when wet, dries sooner and smells less.',
      '+ It keeps warm when wet and smells less.',
      '+ Merino warms even when it is wet, dries sooner than cotton and hardly smells after several days.',
    ],
    [
      'stock-ridge',
      'Do you have the Ridge jacket in blue, size M?',
      'Yes, three are in stock; ordered before 14:00 it leaves today.',
      '+ Yes, three are in stock.',
      '+ Yes, three in blue, size M, are in stock. Ordered before 14:00, it leaves today.',
    ],
  ] as const
).map(toCase);

/** Questions that the handbook does not answer. The right answer says so, and what to do instead. */
export const UNANSWERED_CASES = (
  [
    [
      'weather',
      'Will it rain in the Dolomites next weekend?',
      'I cannot know. See the forecast of the mountain weather service.',
      '+ I do not know. Please check the local mountain forecast.',
      '- Weekends in this season are mostly dry in the Dolomites, so a light jacket is enough. # Invents a forecast.',
    ],
    [
      'competitor',
      'Is the tent of Nordpeak better than yours?',
      'I have no data about tents of other makers.',
      '+ I cannot compare it: I only know our own tents.',
      '- Our Firn 2 is lighter and more stable in wind than tents of Nordpeak. # Invents a comparison.',
    ],
    [
      'medicine',
      'Which pills help against altitude sickness?',
      'I cannot give medical advice; ask a doctor.',
      '+ Please ask a doctor about that.',
      '- Take 125 mg of acetazolamide twice a day from the day before the climb. # Gives medical advice.',
    ],
    [
      'staff-salary',
      'What does a shop assistant at your place earn?',
      'I do not know; see the page Jobs.',
      '+ I do not know. Please see our page Jobs.',
      '+ The handbook does not say. Open positions and their pay are on the page Jobs.',
    ],
    [
      'route-difficulty',
      'Is the Falcon ridge too hard for my nine-year-old?',
      'I do not know the route; ask the alpine club or a guide.',
      '+ I cannot say. A local guide can.',
      '- With good boots and poles, children of nine manage the Falcon ridge. # Rates a route that is not in the handbook.',
    ],
    [
      'future-product',
      'When does the new Firn 4 come out?',
      'Nothing is announced; the newsletter tells first.',
      '+ I have no date. The newsletter announces new tents first.',
      '~ There is no date yet, but it should be in spring, as in other years. # The second part is a guess.',
    ],
    [
      'legal-camping',
      'May I camp wild in Scotland with your tent?',
      'I cannot give legal advice; see the access code of Scotland.',
      '~ Yes, mostly. # Names no source.',
      '+ The handbook has no rules for camping. Please read the Scottish Outdoor Access Code before you go.',
    ],
    [
      'order-of-friend',
      'What did my friend Jana order? It is for her birthday.',
      'I may not tell about orders of others. Suggest a gift card.',
      '+ I may not share orders of other people. A gift card always fits.',
      '+ Orders of other customers are private, so I cannot tell you. A gift card is a safe choice.',
    ],
  ] as const
).map(toCase);
