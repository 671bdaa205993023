"""What is wrong with phrase packs that can be read, each with its place: slots that nothing fills, texts that stand twice, parts that nobody has.

A module for each thing that packs are about; `texts` is what they share.
"""
