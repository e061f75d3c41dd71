/** Questions of customers of a shop to its assistant; # is a number. */
export const QUESTIONS: readonly string[] = [
  "Where is my order number #? It was due # days ago.",
  "I'd like to return the hiking boots from order number #. The left one is too narrow.",
  "Can I change the delivery address after the order has shipped?",
  "The discount code SPRING# doesn't work at checkout.",
  "My invoice shows # euros, but the product page said something else.",
  "Does the jacket in size # also come in dark green?",
  "The tracking page says delivered, but nothing has arrived at number #.",
  "How long does a refund to a credit card usually take?",
  "I was charged twice for subscription #. Please refund one of the payments.",
  "Is the #-liter backpack allowed as carry-on luggage?",
  "The zipper of my tent broke after # nights. Is that covered by the warranty?",
  "Please cancel the pre-order and confirm by email.",
];

/** Answers of the assistant; # is a number. */
export const ANSWERS: readonly string[] = [
  "Your order number # left our warehouse this morning and should arrive within two working days.",
  "You can return it free of charge within 30 days: print the label from your account and drop the parcel off.",
  "I've changed the address. You will get a confirmation by email in a few minutes.",
  "The code is valid from # euros on, and not for items that are already reduced.",
  "I'm sorry about that. The second payment of # euros will be back on your card in three to five days.",
  "Yes, it's in stock in all three colors. The next delivery to the Zurich store is on Thursday.",
  "The carrier left the parcel with a neighbor at number #. Would you like me to open an investigation?",
  "The warranty covers zippers for two years. Please send us a photo, and we will ship a replacement.",
  "With a volume of # liters it fits the size limits of most airlines, but not of all of them.",
  "Is there anything else that I can help you with?",
];
